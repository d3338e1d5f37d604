import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import type { PollCost, PollOrder } from './poll-process.ts'

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

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const measurePoll = (waiting: number, quick: boolean): Promise<PollCost> =>
  inFolder(async (workdir) => {
    const order: PollOrder = { workdir, waiting, samples: quick ? 5 : 25, idleMs: quick ? 3000 : 15_000 }
    const child = fork(pathOf('poll-process.js'), [JSON.stringify(order)], {
      execArgv: ['--import', pathOf('without-watch.js')],
    })
    const ended = once(child, 'exit').then(() => {
      throw new Error('The process that polls ended early')
    })
    const [cost] = (await Promise.race([once(child, 'message'), ended])) as [PollCost]
    return cost
  })
