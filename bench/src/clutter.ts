import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { settleMany } from './settled.ts'
import { type Summary, summarize } from './statistics.ts'
import { requestOf } from './timed-answer.ts'

/** From `submitAnswer` until `askUser` resolved, among 100,000 old files and in an empty folder. */
export interface ClutterCost {
  ratio: number
  amongOld: Summary
  alone: Summary
}

/** Each has three files. */
const OLD_QUESTIONS = 33_334
const SAMPLES = 150

export async function measureClutter(): Promise<ClutterCost> {
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'sandagent-bench-clutter-'))))
  try {
    const [full, empty] = folders as [string, string]
    await settleMany(full, OLD_QUESTIONS)
    const times = { full: [] as bigint[], empty: [] as bigint[] }
    const answerIn = { full: answering(full), empty: answering(empty) }
    // In turns, so that whatever else the machine does meets both. The first few look for leftovers and old files.
    for (let n = -10; n < SAMPLES; n++)
      for (const name of ['full', 'empty'] as const) {
        const time = await answerIn[name](`ask-${n}`)
        if (n >= 0) times[name].push(time)
      }
    const [amongOld, alone] = [summarize(times.full), summarize(times.empty)]
    return { ratio: amongOld.p50Ms / alone.p50Ms, amongOld, alone }
  } finally {
    for (const folder of folders) await rm(folder, { recursive: true })
  }
}

function answering(workdir: string): (toolCallId: string) => Promise<bigint> {
  const channel = createFileRunnerChannel({ workdir })
  const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
  return async (toolCallId) => {
    let startedAt = 0n
    await askUser(channel, requestOf(toolCallId), {
      async onAsked() {
        startedAt = process.hrtime.bigint()
        await submitAnswer(sandbox, {
          toolCallId,
          status: 'completed',
          answers: { 'Which language?': 'Python' },
        })
      },
    })
    return process.hrtime.bigint() - startedAt
  }
}
