import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CarrierServer } from './carrier.ts'
import { freePort } from './free-port.ts'

const program = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'nats-server'))
  .find(existsSync)

export interface NatsServer extends CarrierServer {
  /** Where it keeps its data. */
  folder: string
}

/** One server with JetStream, as it is after its installation; `null` if none is installed. */
export async function startNats(): Promise<NatsServer | null> {
  if (program === undefined) return null
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-bench-'))
  const port = await freePort()
  const args = ['--addr', '127.0.0.1', '--port', `${port}`, '--jetstream', '--store_dir', folder]
  const server = spawn(program, args, { stdio: 'ignore' })
  while (!(await isOpen(port))) await sleep(20)
  return {
    url: `nats://127.0.0.1:${port}`,
    pid: server.pid as number,
    folder,
    async stop() {
      server.kill('SIGKILL')
      await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
