import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { AskError } from '@sandagent/core'
import { printableLine } from '@sandagent/core/internal'
import type { Inbox, InboxQuestion } from '@sandagent/inbox'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { complain, notFound } from '../places/inbox-of.ts'
import { questionBlock } from './question-lines.ts'

/**
 * The question with an id, or with the beginning of one. Without an id: the only one that waits, or the one that the person
 * chooses.
 *
 * @param isWhole whether the id is no beginning: a program has written it
 * @throws AskError `NOT_FOUND`, `UNREACHABLE`, and `INVALID_REQUEST` where somebody must choose and cannot
 */
export async function chooseQuestion(
  inbox: Inbox,
  id: string | undefined,
  io: CliIo,
  isWhole = false,
): Promise<InboxQuestion> {
  if (id !== undefined) return findQuestion(inbox, id, io, isWhole)
  const questions = await waitingIn(inbox, io)
  const [first, second] = questions
  if (!second) return first
  if (io.stdin.isTTY && io.stdout.isTTY) return questions[await askWhich(questions, io)] ?? first
  throw severalOf(questions)
}

/** The questions that wait. @throws AskError `NOT_FOUND` or `UNREACHABLE` for none */
export async function waitingIn(inbox: Inbox, io: CliIo): Promise<[InboxQuestion, ...InboxQuestion[]]> {
  const { questions, unreachable } = await inbox.list()
  complain(unreachable, io)
  const [first, ...others] = questions
  if (first) return [first, ...others]
  const hint = 'No question waits. Name the folder of the agent by --workdir if it asks elsewhere'
  throw notFound('No question was found', { unreachable, hint })
}

async function findQuestion(
  inbox: Inbox,
  toolCallId: string,
  io: CliIo,
  isWhole: boolean,
): Promise<InboxQuestion> {
  try {
    return await inbox.find({ toolCallId })
  } catch (error) {
    if (!(error instanceof AskError)) throw error
    if (error.code === 'CONFLICT')
      throw usage(`Several places have a question ${toolCallId}. Name one of them by --workdir`, error)
    if (error.code !== 'NOT_FOUND' || isWhole || toolCallId === '') throw error
    return beginningWith(toolCallId, await inbox.list(), io, error)
  }
}

/** The only question that waits and whose id begins so. @throws AskError `NOT_FOUND`, `INVALID_REQUEST` for several */
function beginningWith(
  beginning: string,
  { questions, unreachable }: Awaited<ReturnType<Inbox['list']>>,
  io: CliIo,
  cause: AskError,
): InboxQuestion {
  complain(unreachable, io)
  const [first, ...others] = questions.filter(({ question }) => beginsWith(question.toolCallId, beginning))
  if (!first)
    throw new AskError(
      'NOT_FOUND',
      `No question is named ${beginning}, and none that waits begins so. See those that wait: sandagent questions`,
      { cause },
    )
  if (others.length > 0) throw severalOf([first, ...others])
  return first
}

/** Whether an id begins so. The calls of a run are numbered: `RUN-1` is whole, and no beginning of `RUN-12`. */
export const beginsWith = (id: string, beginning: string): boolean =>
  id.startsWith(beginning) && !(/-\d+$/.test(beginning) && /^\d+$/.test(id.slice(beginning.length)))

const severalOf = (questions: readonly InboxQuestion[]): AskError => {
  const ids = questions.map(({ question }) => printableLine(question.toolCallId))
  return usage(`Several questions wait. Name one of them: ${ids.join(', ')}`)
}

/** Resolves to a position. @throws AskError `NOT_FOUND` when the person leaves */
async function askWhich(
  questions: readonly InboxQuestion[],
  { stdin, stdout, signal }: CliIo,
): Promise<number> {
  for (const [index, question] of questions.entries())
    stdout.write(`${index + 1}. ${questionBlock(question, { stream: stdout, now: Date.now() })}`)
  // The terminal edits the line, and sends the signal of Ctrl-C.
  const lines = createInterface({ input: stdin, terminal: false })
  const closed = once(lines, 'close').then(() => null)
  try {
    for (;;) {
      stdout.write(`Which one? 1 to ${questions.length}: `)
      const line = await Promise.race([
        once(lines, 'line', { signal }).then(([text]) => String(text)),
        closed,
      ])
      if (line === null)
        throw new AskError(
          'NOT_FOUND',
          'No question was chosen. Type its number, or name its id behind the command',
        )
      // A terminal's reply to a program may be in the line too.
      const position = /^\d+$/.test(line.trim()) ? Number(line) - 1 : -1
      if (questions[position]) return position
    }
  } finally {
    lines.close()
  }
}
