import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { runCrowd } from './run-crowd.ts'

const COUNT = 10_000

export const burst: Scenario = defineScenario({
  title: '10,000 questions asked at once in a process that may have 1,024 descriptors',
  keys: {
    seconds: 'until all are asked, seconds',
    floorSeconds: 'bare durable creations of as many files by the same process, seconds',
    lost: 'questions that failed, or that did not get their answer',
  },
  measure: async () => {
    const { seconds, lost, floorSeconds } = await runCrowd(COUNT, { idleMs: 0 })
    return { seconds, floorSeconds, lost }
  },
  goals: ({ seconds, floorSeconds, lost }) => [
    { text: 'at most 1.2 × bare', figure: seconds, most: 1.2 * floorSeconds },
    { text: 'no question is lost', figure: lost, most: 0 },
  ],
})
