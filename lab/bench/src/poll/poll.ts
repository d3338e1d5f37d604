import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { measureWaiting } from './measure-waiting.ts'
import type { WaitingCost } from './waiting-process.ts'

export const poll: Scenario = defineScenario({
  title: 'from rename() in another process until askUser resolved, where the system refuses to watch',
  keys: {
    '1.p50Ms': 'one question waits, median',
    '1.cpuPercent': 'of one core while it waits, percent',
    '100.p50Ms': '100 wait, median',
    '100.cpuPercent': 'of one core while they wait, percent',
    '10000.p50Ms': '10,000 wait, median',
    '10000.cpuPercent': 'of one core while they wait, percent',
  },
  async measure({ quick }) {
    const [one, hundred, many] = [
      await measurePoll(1, quick),
      await measurePoll(100, quick),
      await measurePoll(10_000, quick),
    ]
    return {
      '1.p50Ms': one.p50Ms,
      '1.cpuPercent': one.cpuPercent,
      '100.p50Ms': hundred.p50Ms,
      '100.cpuPercent': hundred.cpuPercent,
      '10000.p50Ms': many.p50Ms,
      '10000.cpuPercent': many.cpuPercent,
    }
  },
  goals: (figures) => [
    { text: 'one: p50 at most 60 ms', figure: figures['1.p50Ms'], most: 60 },
    { text: '100: p50 at most 60 ms', figure: figures['100.p50Ms'], most: 60 },
    { text: '10,000: p50 at most 60 ms', figure: figures['10000.p50Ms'], most: 60 },
    { text: '100: at most 2 % of a core', figure: figures['100.cpuPercent'], most: 2 },
    { text: '10,000: at most 10 % of a core', figure: figures['10000.cpuPercent'], most: 10 },
  ],
})

const measurePoll = (waiting: number, quick: boolean): Promise<WaitingCost> =>
  measureWaiting({ waiting, refuse: true, samples: quick ? 5 : 25, idleMs: quick ? 3000 : 15_000 })
