import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerFile, QuestionRecord, RunnerChannel } from '@sandagent/core'
import { answerFilePath } from '@sandagent/files'
import { type AskRequest, askUser } from '@sandagent/runner'
import type { Writer } from './writer.ts'

/** Nanoseconds from the rename in the other process. */
export interface AnswerTimes {
  /** Until the runner had read the answer. */
  noticed: bigint
  /** Until `askUser` resolved, its durable receipt included: as users see it. */
  resolved: bigint
}

/** Asks a question, has it answered by the other process `thinkMs` milliseconds later, and times the way back. */
export async function timedAnswer(
  channel: RunnerChannel,
  {
    toolCallId,
    workdir,
    writer,
    thinkMs,
  }: { toolCallId: string; workdir: string; writer: Writer; thinkMs: number },
): Promise<AnswerTimes> {
  let noticedAt = 0n
  let renamed = Promise.resolve(0n)
  const timed: RunnerChannel = {
    ...channel,
    settle(...args) {
      noticedAt = process.hrtime.bigint()
      return channel.settle(...args)
    },
  }
  const answer = async (record: QuestionRecord): Promise<bigint> => {
    await sleep(thinkMs)
    const path = join(workdir, answerFilePath(toolCallId))
    return writer.write({ path, text: JSON.stringify(answerTo(record), null, 2) })
  }
  await askUser(timed, requestOf(toolCallId), {
    onAsked(record) {
      renamed = answer(record)
    },
  })
  const resolvedAt = process.hrtime.bigint()
  const renamedAt = await renamed
  return { noticed: noticedAt - renamedAt, resolved: resolvedAt - renamedAt }
}

/** The question that is asked each time. */
export const requestOf = (toolCallId: string): AskRequest => ({
  toolCallId,
  runId: 'bench',
  questions: [{ question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] }],
})

/** What a host stores as the answer to it. */
export const answerTo = ({ toolCallId, questions, nonce }: QuestionRecord): AnswerFile => ({
  questions,
  answers: { 'Which language?': 'Python' },
  status: 'completed',
  timestamp: new Date().toISOString(),
  version: 1,
  toolCallId,
  nonce,
  revision: 1,
  responses: { q1: { selected: ['Python'], source: 'human' } },
})
