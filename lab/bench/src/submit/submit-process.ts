// Writes as many answers, or as many bare files, as it is ordered to.

import { join } from 'node:path'
import { writeFileAtomic } from '@sandagent/files/internal'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { importPeer } from '../peers/peers.ts'

export interface SubmitOrder {
  kind: 'answers' | 'bare' | 'peer'
  from: number
  count: number
}

/** About what an answer with one question takes. */
const TEXT = 'x'.repeat(600)

const workdir = process.argv[2] ?? ''
const sandbox = new LocalSandbox({ workdir, isolation: 'none' })

const peer = await importPeer<{ default(path: string, text: string): Promise<void> }>('write-file-atomic')

const write = {
  answers: (n: number): Promise<unknown> =>
    submitAnswer(sandbox, {
      toolCallId: `toolu_${n}`,
      status: 'completed',
      answers: { 'Which language?': 'A' },
    }),
  bare: (n: number): Promise<unknown> => writeFileAtomic(join(workdir, 'bare', `${n}.json`), TEXT),
  peer: async (n: number): Promise<unknown> => peer?.default(join(workdir, 'peer', `${n}.json`), TEXT),
}

process.on('message', async ({ kind, from, count }: SubmitOrder) => {
  for (let n = from; n < from + count; n++) await write[kind](n)
  process.send?.('done')
})
process.send?.('ready')
