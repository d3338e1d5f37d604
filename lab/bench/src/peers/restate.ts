import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../fleet/free-port.ts'
import { peerFolder } from './peers.ts'
import type { RestateMessage } from './restate-process.ts'

/** Restate's server, and a service that waits for answers. */
export interface Restate {
  /** Asks, and resolves the awakeable over HTTP after `thinkMs`. Resolves to nanoseconds from that request on. */
  answer(thinkMs: number): Promise<bigint>
  end(): Promise<void>
}

const SERVER = `@restatedev/restate-server-${process.platform}-${process.arch}`

/** @returns `null` if Restate is not installed */
export async function startRestate(folder: string): Promise<Restate | null> {
  const server = peerFolder(SERVER)
  if (server === null || peerFolder('@restatedev/restate-sdk') === null) return null
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()]
  const program = spawn(join(server, 'bin/restate-server'), ['--no-logo', '--base-dir', folder], {
    stdio: 'ignore',
    env: {
      ...process.env,
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_BIND_PORT: `${node}`,
      RESTATE_INGRESS__BIND_PORT: `${ingress}`,
      RESTATE_ADMIN__BIND_PORT: `${admin}`,
      DO_NOT_TRACK: '1',
    },
  })
  const service = fork(fileURLToPath(new URL('restate-process.js', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const agent = new Agent({ keepAlive: true })
  const { port } = (await messageWith(service, 'port')) as { port: number }
  await until(() => post(agent, admin, '/deployments', { uri: `http://127.0.0.1:${port}` }))
  return {
    async answer(thinkMs) {
      const asked = messageWith(service, 'id')
      await post(agent, ingress, '/bench/ask/send')
      const { id } = (await asked) as { id: string }
      await sleep(thinkMs)
      const resolved = messageWith(service, 'resolvedAt')
      const sentAt = process.hrtime.bigint()
      await post(agent, ingress, `/restate/awakeables/${id}/resolve`, 'Python')
      return BigInt(((await resolved) as { resolvedAt: string }).resolvedAt) - sentAt
    },
    async end() {
      agent.destroy()
      service.kill()
      program.kill()
      await once(program, 'exit')
    },
  }
}

async function messageWith(child: ChildProcess, key: string): Promise<RestateMessage> {
  for (;;) {
    const [message] = (await once(child, 'message')) as [RestateMessage]
    if (key in message) return message
  }
}

async function post(agent: Agent, port: number, path: string, body?: unknown): Promise<void> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path, headers })
  sent.end(text)
  const [response] = await once(sent, 'response')
  let answer = ''
  for await (const chunk of response) answer += chunk
  if (response.statusCode >= 300) throw new Error(`Restate answered ${response.statusCode}: ${answer}`)
}

const PATIENCE_MS = 60_000

/** Tries again until it works: the server takes some seconds to start. */
async function until(act: () => Promise<void>): Promise<void> {
  for (const endsAt = Date.now() + PATIENCE_MS; ; ) {
    try {
      return await act()
    } catch (error) {
      if (Date.now() > endsAt) throw error
      await sleep(200)
    }
  }
}
