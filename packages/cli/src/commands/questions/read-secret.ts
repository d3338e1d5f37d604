import { buffer } from 'node:stream/consumers'
import { type AnswerRequest, AskError, printableLine, type QuestionView } from '@sandagent/core/internal'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { createKeyboard } from '../../terminal/keyboard/keyboard.ts'
import { hiddenLines } from '../../terminal/lines/hidden-lines.ts'

/**
 * Reads `--secret`, and encrypts it for the runner that asks: from standard input, or typed in a terminal that shows nothing of
 * it.
 *
 * @throws AskError `INVALID_REQUEST` for a question that asks for no secret, and for what is none
 */
export async function secretAnswerTo(
  { toolCallId, questions, questionDigest, toolName }: QuestionView,
  io: CliIo,
): Promise<AnswerRequest> {
  const [question, ...others] = questions
  if (!question || others.length > 0)
    throw usage(`${toolCallId} asks ${questions.length} questions: answer them in the form`)
  const { secret } = question
  if (!secret) throw usage(`${toolCallId} asks for no secret. Answer it by --text or --option`)
  if (typeof secret !== 'object' || questionDigest === undefined)
    throw new AskError(
      'INVALID_REQUEST',
      `The agent has given no key for this secret (${toolName}): ask it to ask again`,
    )
  const { sealSecret } = await import('@sandagent/core/secret')
  const place = { toolCallId, questionId: question.id, questionDigest }
  const text = io.stdin.isTTY ? await typed(question.question, io) : await piped(io)
  const sealed = await sealSecret(text, secret.publicKey, place)
  const response = { selected: [], sealed, source: 'human' as const }
  return { toolCallId, questionDigest, status: 'completed', responses: { [question.id]: response } }
}

/** All that comes, without the line break that `echo` and most editors put at its end. */
async function piped({ stdin }: CliIo): Promise<string> {
  const bytes = await buffer(stdin)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, '')
  } catch {
    throw usage('A secret is text in UTF-8')
  }
}

/** What is typed before Enter, of which the terminal shows nothing. */
async function typed(question: string, io: CliIo): Promise<string> {
  const keyboard = createKeyboard(io)
  try {
    let take = (_line: string | null): void => {}
    const taken = new Promise<string | null>((resolve) => {
      take = resolve
      if (io.signal.aborted) resolve('')
      io.signal.addEventListener('abort', () => resolve(''))
    })
    keyboard.read({})
    await keyboard.quiet()
    io.stderr.write(`${printableLine(question)}\nType the secret. Nothing of it is shown: `)
    keyboard.read({ onKey: hiddenLines(take) })
    const line = await taken
    if (line === null) throw usage('This secret has several lines: give it on standard input')
    return line
  } finally {
    await keyboard.close()
    io.stderr.write('\n')
  }
}
