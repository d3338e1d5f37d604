import { fork } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { postAnswer } from '../post-answer.ts'

/** A host and a runner that do nothing but carry a signed answer: no checks, no claims, no records, no receipts. */
export interface Bare {
  /** Resolves to nanoseconds from the POST until the runner has checked the answer. */
  answer(thinkMs: number): Promise<bigint>
  end(): void
}

export async function startBare(folder: string): Promise<Bare> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const start = (script: string, key: string) =>
    fork(fileURLToPath(new URL(script, import.meta.url)), [folder, key])
  const host = start('bare-host.js', String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
  const runner = start('bare-runner.js', String(publicKey.export({ type: 'spki', format: 'pem' })))
  const [port] = (await once(host, 'message')) as [number]
  const agent = new Agent({ keepAlive: true })
  let asked = 0
  return {
    async answer(thinkMs) {
      const toolCallId = `ask-${asked++}`
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
