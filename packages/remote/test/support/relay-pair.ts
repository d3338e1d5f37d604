import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { onTestFinished } from 'vitest'
import type { Connection } from '../../src/connection/connection.ts'
import { type RelayOptions, serveRelay } from '../../src/relay/serve-relay.ts'
import { RemoteSandbox, type RemoteSandboxOptions } from '../../src/sandbox/remote-sandbox.ts'

/** A relay in this process, and the ends of its connection. */
interface Wire extends Connection {
  stdin: PassThrough
  stdout: PassThrough
}

/** A sandbox behind relays that run in this process, each over a connection of its own. */
export async function relayPair(
  options: Partial<RemoteSandboxOptions> = {},
  relayOptions: Partial<RelayOptions> = {},
) {
  const workdir = join(await tempDir(), 'workdir')
  const local = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const wires: Wire[] = []
  const served: Promise<void>[] = []
  const connect = (): Connection => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const serving = serveRelay({
      sandbox: local,
      input: stdin,
      output: stdout,
      version: '1',
      ...relayOptions,
    })
    served.push(serving)
    const closed = serving.then(
      () => 'The relay ended',
      (error: Error) => error.message,
    )
    const wire = { stdin, stdout, closed }
    wires.push(wire)
    return wire
  }
  const remote = new RemoteSandbox({ name: workdir, workdir, relay: ['relay'], connect, ...options })
  onTestFinished(async () => {
    remote.close()
    await Promise.allSettled(served)
  })
  return {
    local,
    remote,
    wires,
    served,
    /** Cuts the latest connection. */
    cut(): void {
      const { stdin, stdout } = wires.at(-1) as Wire
      stdin.destroy()
      stdout.destroy()
    },
  }
}
