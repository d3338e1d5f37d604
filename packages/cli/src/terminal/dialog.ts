import { note } from '@clack/prompts'
import {
  printableLine,
  type QuestionRecord,
  questionDigestOf,
  type Receipt,
  visible,
} from '@sandagent/core/internal'
import { type AnswerableSandbox, type AnswerRequest, submitAnswer } from '@sandagent/sdk'
import type { CliIo } from '../io.ts'
import { withConsole } from './console.ts'
import { decide } from './decide.ts'

export interface DialogOptions {
  sandbox: AnswerableSandbox
  io: CliIo
  /** Aborts when the question ends. Its reason is the receipt. */
  dismissal: AbortSignal
}

/** Asks the questions of a record on the terminal, and submits the answer. */
export async function holdDialog(
  record: QuestionRecord,
  { sandbox, io, dismissal }: DialogOptions,
): Promise<void> {
  const { toolCallId, questions, subject, asker } = record
  // The file of the question may have changed since.
  const questionDigest = questionDigestOf(record)
  const submit = async (answer: Omit<AnswerRequest, 'toolCallId'>): Promise<void> => {
    await submitAnswer(sandbox, { toolCallId, questionDigest, ...answer })
  }
  try {
    await withConsole(io, AbortSignal.any([dismissal, io.signal]), async (console) => {
      if (asker)
        console.show((basics) =>
          note(printableLine(asker.agent ?? 'It gives no name.'), 'A subagent asks', basics),
        )
      // In JSON, no value looks like another key.
      if (subject)
        console.show((basics) =>
          note(visible(JSON.stringify(subject.input, null, 2)), visible(subject.toolName), basics),
        )
      const decision = await decide(questions, console, (responses) =>
        submit({ responses, status: 'pending' }),
      )
      if (decision) await submit(decision)
      else if (dismissal.aborted) io.stdout.write(`\n${farewell(dismissal.reason)}\n`)
    })
  } catch (error) {
    io.stdout.write(`\nThe answer was not taken: ${printableLine((error as Error).message)}\n`)
  }
}

const farewell = ({ state, answeredBy }: Receipt): string =>
  state === 'answered'
    ? `Answered elsewhere${answeredBy === undefined ? '' : ` by ${printableLine(answeredBy)}`}.`
    : 'This question is not open any more.'
