import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { summarize } from '../lib/statistics.ts'
import { requestOf } from '../lib/timed-answer.ts'
import { settleMany } from './settle-many.ts'

/** Each has three files. */
const OLD_QUESTIONS = 33_334
/** So many come first and do not count: they look for leftovers and old files. */
const WARM_UP = 10

export const clutter: Scenario = defineScenario({
  title: 'from submitAnswer until askUser resolved, in a folder with 100,000 old files',
  keys: {
    ratio: 'times the same in an empty folder',
    p50Ms: 'among old files, median',
    aloneP50Ms: 'in an empty folder, median',
  },
  measure: ({ quick }) =>
    inFolder((full) => inFolder((empty) => measureClutter({ full, empty }, quick ? 20 : 150))),
  goals: ({ ratio }) => [{ text: 'old files cost at most the factor 1.2', figure: ratio, most: 1.2 }],
})

async function measureClutter(folders: Record<'full' | 'empty', string>, samples: number) {
  await settleMany(folders.full, OLD_QUESTIONS)
  const times = { full: [] as bigint[], empty: [] as bigint[] }
  const answerIn = { full: answering(folders.full), empty: answering(folders.empty) }
  // In turns, so that whatever else the machine does meets both.
  for (let n = -WARM_UP; n < samples; n++)
    for (const name of ['full', 'empty'] as const) {
      const time = await answerIn[name](`ask-${n}`)
      if (n >= 0) times[name].push(time)
    }
  const [p50Ms, aloneP50Ms] = [summarize(times.full).p50Ms, summarize(times.empty).p50Ms]
  return { ratio: p50Ms / aloneP50Ms, p50Ms, aloneP50Ms }
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
