import { join } from 'node:path'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { summarize } from '../lib/statistics.ts'
import { startStack } from './start-stack.ts'

const WAITING = 10_000

export const crowd: Scenario = defineScenario({
  title: 'as stack, while 10,000 more questions wait in the same runner',
  keys: {
    p50Ms: 'askUser resolved among 10,000 that wait, median',
    aloneP50Ms: 'the same in turns with it, where one more waits, median',
  },
  measure: ({ quick }) => inFolder((folder) => measureCrowd(folder, quick ? 20 : 200)),
  goals: ({ p50Ms, aloneP50Ms }) => [
    { text: 'p50 at most 1.2 × alone', figure: p50Ms, most: 1.2 * aloneP50Ms },
  ],
})

const WARM_UP = 10
/** How long people take to answer, in milliseconds. */
const THINK_MS = 20

async function measureCrowd(folder: string, samples: number) {
  const alone = await startStack(join(folder, 'alone'), { waiting: 1 })
  const crowded = await startStack(join(folder, 'crowded'), { waiting: WAITING })
  const times = { alone: [] as bigint[], crowded: [] as bigint[] }
  try {
    for (let round = -WARM_UP; round < samples; round++)
      for (const [name, running] of [['alone', alone] as const, ['crowded', crowded] as const]) {
        const { resolved } = await running.answer(THINK_MS * (1 + Math.random()))
        if (round >= 0) times[name].push(resolved)
      }
  } finally {
    await alone.end()
    await crowded.end()
  }
  return { p50Ms: summarize(times.crowded).p50Ms, aloneP50Ms: summarize(times.alone).p50Ms }
}
