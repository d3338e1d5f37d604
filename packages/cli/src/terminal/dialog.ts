import { emitKeypressEvents, type Key } from 'node:readline'
import type { QuestionRecord } from '@sandagent/core'
import { type AnswerableSandbox, type SubmittedAnswer, submitAnswer } from '@sandagent/sdk'
import type { CliIo } from '../cli.ts'
import { decide } from './decide.ts'
import { printable } from './printable.ts'

export interface DialogOptions {
  sandbox: AnswerableSandbox
  io: CliIo
  /** Aborts when the question ended otherwise. */
  dismissal: AbortSignal
}

/** Asks the questions of a record on the terminal and stores what the person decides. */
export async function holdDialog(
  record: QuestionRecord,
  { sandbox, io, dismissal }: DialogOptions,
): Promise<void> {
  const { toolCallId, questions } = record
  const submit = (answer: Omit<SubmittedAnswer, 'toolCallId'>) =>
    submitAnswer(sandbox, { toolCallId, ...answer })
  const signal = AbortSignal.any([dismissal, io.signal])
  const stopListening = onControlC(io.stdin, io.interrupt)
  try {
    const decision = await decide(
      questions,
      { input: io.stdin, output: io.stdout, signal },
      async (responses) => {
        await submit({ responses, status: 'pending' })
      },
    )
    if (decision) await submit(decision)
    else if (dismissal.aborted) io.stdout.write('\nThis question is not open any more.\n')
  } catch (error) {
    io.stdout.write(`\nThe answer was not taken: ${printable((error as Error).message)}\n`)
  } finally {
    stopListening()
  }
}

/** Ctrl-C is a key like any other to a terminal in raw mode, and the prompts cannot tell it from Esc. */
function onControlC(input: NodeJS.ReadableStream, callback: () => void): () => void {
  const onKey = (_: unknown, key: Key): void => {
    if (key.ctrl && key.name === 'c') callback()
  }
  emitKeypressEvents(input)
  input.on('keypress', onKey)
  return () => input.off('keypress', onKey)
}
