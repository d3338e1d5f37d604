import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { same, soon } from '../expect.ts'
import type { StoreCase } from './context.ts'
import { answerFileFor, openRecord } from './records.ts'

const HOSTS = ['one', 'two', 'three']
const QUESTIONS = 20

/** The program that answers in another process: the built file, even if the sources run. */
const program = (): string => fileURLToPath(new URL('../../dist/store/racing-host.js', import.meta.url))

export const processCases: readonly StoreCase[] = [
  {
    name: 'of the hosts in several processes, exactly one completes each question, and all learn which',
    needs: 'hostProcess',
    async run({ runner, host, hostProcess }) {
      const ids = Array.from({ length: QUESTIONS }, (_, n) => `t${n}`)
      const asking = runner()
      // Every other question is asked again under an id whose earlier answer is still there.
      for (const id of ids.filter((_, n) => n % 2)) {
        const earlier = answerFileFor(id, { status: 'completed', nonce: 'earlier' })
        await host().write(earlier, { expectedRevision: 0 })
        await asking.open(openRecord(id))
      }
      const { module, args } = hostProcess()
      const url = module.startsWith('file:') ? module : pathToFileURL(module).href
      const hosts = HOSTS.map((name) => fork(program(), [name, url, JSON.stringify(args), ...ids]))
      try {
        await Promise.all(hosts.map(messageOf))
        const told = await Promise.all(
          hosts.map((process) => {
            process.send('go')
            return messageOf(process) as Promise<string[]>
          }),
        )
        for (const [n, id] of ids.entries()) {
          const { answerFile } = await host().read(id)
          assert.equal(answerFile?.status, 'completed')
          same(await asking.read(id), answerFile)
          assert.deepEqual(
            told.map((answers) => answers[n]),
            hosts.map(() => answerFile.answeredBy),
          )
        }
      } finally {
        for (const process of hosts) process.kill()
      }
    },
  },
]

/** The next message of a process. It fails when the process ends instead. */
const messageOf = (process: ChildProcess): Promise<unknown> => {
  const ended = once(process, 'exit').then(([code]) => assert.fail(`A host’s process ended with ${code}`))
  const message = once(process, 'message').then(([value]: unknown[]) => value)
  ended.catch(() => {})
  return soon(Promise.race([message, ended]), 'a host’s process')
}
