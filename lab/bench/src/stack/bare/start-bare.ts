import { fork } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { requestOf } from '../../lib/timed-answer.ts'
import { postAnswer } from '../post-answer.ts'

/** What a bare host does beside: syncs in threads, claims, reads of the question, and web requests. */
export type Guarantee = 'threads' | 'claims' | 'records' | 'web'

/** A host and a runner that do nothing but carry a signed answer: no checks, no claims, no records, no receipts. */
export interface Bare {
  /** The process of the host. */
  hostPid: number
  /** Resolves to nanoseconds from the POST until the runner has checked the answer. */
  answer(thinkMs: number): Promise<bigint>
  end(): void
}

export async function startBare(folder: string, guarantees: readonly Guarantee[] = []): Promise<Bare> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const start = (script: string, ...args: string[]) =>
    fork(fileURLToPath(new URL(script, import.meta.url)), [folder, ...args])
  const host = start(
    'bare-host.js',
    String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ...guarantees,
  )
  const runner = start('bare-runner.js', String(publicKey.export({ type: 'spki', format: 'pem' })))
  const [port] = (await once(host, 'message')) as [number]
  const agent = new Agent({ keepAlive: true })
  const questions = join(folder, 'questions')
  mkdirSync(questions)
  let asked = 0
  return {
    hostPid: host.pid as number,
    async answer(thinkMs) {
      const toolCallId = `ask-${asked++}`
      writeFileSync(join(questions, `${toolCallId}.json`), JSON.stringify(requestOf(toolCallId), null, 2))
      runner.send(toolCallId)
      await once(runner, 'message')
      await sleep(thinkMs)
      const resolved = once(runner, 'message')
      const sentAt = process.hrtime.bigint()
      await postAnswer(agent, port, toolCallId)
      return BigInt((await resolved)[0] as string) - sentAt
    },
    end() {
      agent.destroy()
      host.kill()
      runner.kill()
    },
  }
}
