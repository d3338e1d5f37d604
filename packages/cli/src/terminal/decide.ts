import { select, text } from '@clack/prompts'
import type { AskedQuestion, GivenResponse, Responses } from '@sandagent/core/internal'
import type { Console } from './console.ts'
import { promptQuestion } from './prompt-question.ts'

export type TerminalAnswer =
  | { status: 'completed'; responses: Responses }
  | { status: 'declined'; reason?: string }

/**
 * Asks the questions of one call.
 *
 * @param onDraft gets the responses so far, after each question but the last
 * @returns `null` when the console was closed before a decision
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
      const decline = await confirmDecline(console)
      if (decline || console.isClosed) return decline
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

/** `null` when the person stays. One wrong key must not decline. */
async function confirmDecline(console: Console): Promise<TerminalAnswer | null> {
  const choice = await console.ask((basics) =>
    select({
      ...basics,
      message: 'Leave without an answer?',
      options: [
        { value: 'stay', label: 'Back to the question' },
        { value: 'decline', label: 'Decline to answer', hint: 'the agent learns that' },
      ],
    }),
  )
  if (choice !== 'decline') return null
  const reason = await console.ask((basics) =>
    text({ ...basics, message: 'Why? The agent reads it.', placeholder: 'Enter for no reason' }),
  )
  if (reason === null) return null
  return { status: 'declined', ...(reason.trim() && { reason }) }
}
