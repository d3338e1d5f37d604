import { select, text } from '@clack/prompts'
import type { AskedQuestion, GivenResponse, Responses } from '@sandagent/core/internal'
import type { Console } from './console.ts'
import { promptQuestion } from './prompt-question.ts'

/** What a person decided about a set of questions. */
export type TerminalAnswer =
  | { status: 'completed'; responses: Responses }
  | { status: 'declined'; reason?: string }

/**
 * Leads a person through the questions of one call.
 *
 * @param onDraft takes what was entered so far, after each question but the last
 * @returns the decision, or `null` when the console was closed before there was one
 */
export async function decide(
  questions: readonly AskedQuestion[],
  console: Console,
  onDraft: (responses: Responses) => Promise<void>,
): Promise<TerminalAnswer | null> {
  const given = new Map<string, GivenResponse>()
  for (let index = 0; index < questions.length; ) {
    const question = questions[index] as AskedQuestion
    const place = questions.length > 1 ? `${index + 1}/${questions.length}  ` : ''
    const prompted = await promptQuestion(question, { place, before: given.get(question.id) }, console)
    if (console.isClosed) return null
    if (prompted === 'backed out') {
      const refusal = await confirmRefusal(console)
      if (refusal || console.isClosed) return refusal
      continue
    }
    if (prompted === 'left out') given.delete(question.id)
    else given.set(question.id, prompted)
    index += 1
    if (index < questions.length) await onDraft(Object.fromEntries(given))
    else if (questions.length > 1 && !(await confirmAnswers(console))) index = 0
    if (console.isClosed) return null
  }
  return { status: 'completed', responses: Object.fromEntries(given) }
}

/** Whether the answers above may be sent. */
async function confirmAnswers(console: Console): Promise<boolean> {
  const choice = await console.ask((basics) =>
    select({
      ...basics,
      message: 'Send these answers?',
      options: [
        { value: 'send', label: 'Send' },
        { value: 'again', label: 'Go through them again' },
      ],
    }),
  )
  return choice === 'send'
}

/** The refusal to answer, or `null` when the person stays. A slip of one key must not refuse. */
async function confirmRefusal(console: Console): Promise<TerminalAnswer | null> {
  const choice = await console.ask((basics) =>
    select({
      ...basics,
      message: 'Leave without an answer?',
      options: [
        { value: 'stay', label: 'Back to the question' },
        { value: 'refuse', label: 'Decline to answer', hint: 'the agent is told so' },
      ],
    }),
  )
  if (choice !== 'refuse') return null
  const reason = await console.ask((basics) =>
    text({ ...basics, message: 'Why? The agent reads it.', placeholder: 'Enter for no reason' }),
  )
  if (reason === null) return null
  return { status: 'declined', ...(reason.trim() && { reason }) }
}
