import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { startWorker, type Worker } from '../lib/worker.ts'
import { askMany } from '../lists/ask-many.ts'
import { peerFolder } from '../peers/peers.ts'
import type { SubmitOrder } from './submit-process.ts'

export const submit: Scenario = defineScenario({
  title: 'four processes store answers to one folder, durably',
  keys: {
    perSecond: 'answers that submitAnswer stores, for each second',
    guaranteesPerSecond: 'bare files with the promises of an answer, each in the cheapest way that Node has',
    floorPerSecond: 'the bare durable atomic writes of the same processes',
  },
  peerKeys: { writeFileAtomicPerSecond: 'files that the package write-file-atomic writes' },
  measure: ({ quick }) => inFolder((folder) => measureSubmit(folder, quick ? 3 : 20)),
  goals: ({ perSecond, floorPerSecond }) => [
    { text: 'at least 0.5 × bare', figure: perSecond, least: 0.5 * floorPerSecond },
  ],
})

const WRITERS = 4
/** How many each process writes in a round. */
const AT_A_TIME = 25

async function measureSubmit(folder: string, rounds: number) {
  const count = (rounds + 1) * WRITERS * AT_A_TIME
  await askMany(join(folder, '.sandagent/questions'), count)
  for (const name of ['.sandagent/approvals', 'guarantees', 'bare', 'peer']) await mkdir(join(folder, name))
  const script = fileURLToPath(new URL('submit-process.js', import.meta.url))
  const workers: Worker<SubmitOrder, string>[] = []
  const ms = { answers: 0, guarantees: 0, bare: 0, peer: 0 }
  const hasPeer = peerFolder('write-file-atomic') !== null
  const kinds: SubmitOrder['kind'][] = [
    'answers',
    'guarantees',
    'bare',
    ...(hasPeer ? ['peer' as const] : []),
  ]
  try {
    for (let n = 0; n < WRITERS; n++) workers.push(await startWorker(script, [folder]))
    // In turns, so that whatever else the machine does meets all. In the first round, files are read for the first time. It
    // does not count.
    for (let round = 0; round <= rounds; round++)
      for (const kind of kinds) {
        const startedAt = performance.now()
        const first = round * WRITERS * AT_A_TIME
        await Promise.all(
          workers.map((worker, n) => worker.work({ kind, from: first + n * AT_A_TIME, count: AT_A_TIME })),
        )
        if (round > 0) ms[kind] += performance.now() - startedAt
      }
  } finally {
    for (const worker of workers) worker.end()
  }
  const perSecond = (time: number): number => (rounds * WRITERS * AT_A_TIME * 1000) / time
  return {
    perSecond: perSecond(ms.answers),
    guaranteesPerSecond: perSecond(ms.guarantees),
    floorPerSecond: perSecond(ms.bare),
    ...(hasPeer && { writeFileAtomicPerSecond: perSecond(ms.peer) }),
  }
}
