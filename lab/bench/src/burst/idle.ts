import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { runCrowd } from './run-crowd.ts'

const COUNT = 10_000

export const idle: Scenario = defineScenario({
  title: '10,000 questions that wait in one process',
  keys: {
    cpuPercent: 'of one core, percent',
    bytesPerWaiter: 'heap of each question that waits, bytes',
    fds: 'open descriptors of the process',
    watches: 'folders that the system watches',
  },
  measure: async ({ quick }) => {
    const { idle: cost } = await runCrowd(COUNT, { idleMs: quick ? 5000 : 20_000 })
    return cost
  },
  goals: ({ cpuPercent, bytesPerWaiter, watches }) => [
    { text: 'at most 1 % of a core', figure: cpuPercent, most: 1 },
    { text: 'at most 4,096 bytes each', figure: bytesPerWaiter, most: 4096 },
    { text: 'one watch', figure: watches, most: 1 },
  ],
})
