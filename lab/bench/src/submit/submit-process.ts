// Writes as many answers, or as many bare files, as it is ordered to. `guarantees` are bare files with the promises of an
// answer.

import { join } from 'node:path'
import { writeFileAtomic } from '@sandagent/files/internal'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { importPeer } from '../peers/peers.ts'
import { lookAgain, readQuestion, writeBare } from '../stack/bare/bare-store.ts'

export interface SubmitOrder {
  kind: 'answers' | 'guarantees' | 'bare' | 'peer'
  from: number
  count: number
}

/** About what an answer with one question takes. */
const TEXT = 'x'.repeat(600)

const workdir = process.argv[2] ?? ''
const questions = join(workdir, '.sandagent/questions')
const sandbox = new LocalSandbox({ workdir, isolation: 'none' })

const peer = await importPeer<{ default(path: string, text: string): Promise<void> }>('write-file-atomic')

const write = {
  answers: (n: number): Promise<unknown> =>
    submitAnswer(sandbox, {
      toolCallId: `toolu_${n}`,
      status: 'completed',
      answers: { 'Which language?': 'A' },
    }),
  guarantees: async (n: number): Promise<unknown> => {
    const [toolCallId, folder] = [`toolu_${n}`, join(workdir, 'guarantees')]
    const questionDigest = readQuestion(questions, folder, toolCallId)
    const kept = { inThreads: true, claims: true }
    await writeBare(folder, [toolCallId, JSON.stringify({ TEXT, questionDigest })], kept, `${process.pid}`)
    return lookAgain(questions, toolCallId)
  },
  bare: (n: number): Promise<unknown> => writeFileAtomic(join(workdir, 'bare', `${n}.json`), TEXT),
  peer: async (n: number): Promise<unknown> => peer?.default(join(workdir, 'peer', `${n}.json`), TEXT),
}

process.on('message', async ({ kind, from, count }: SubmitOrder) => {
  for (let n = from; n < from + count; n++) await write[kind](n)
  process.send?.('done')
})
process.send?.('ready')
