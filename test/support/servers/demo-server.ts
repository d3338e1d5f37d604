import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LocalSandbox, listRuns, stopRun } from '@sandagent/sdk'
import { afterAll, beforeAll } from 'vitest'

const main = fileURLToPath(new URL('../../../apps/demo/dist/server/main.js', import.meta.url))

/** The demo in a process of its own, with a workdir of its own. */
export interface DemoServer {
  url: string
  workdir: string
  /** What it printed before it was ready. */
  output: string
  /** Asks the process to end, and resolves to its exit code once it is gone. */
  stop(): Promise<number | null>
  /** Kills the process, which cannot do anything about it. Its agents go on: `close` of the next one ends them. */
  kill(): Promise<void>
  /** Stops it and removes its workdir. */
  close(): Promise<number | null>
}

export interface DemoStart {
  /** Default: the scripted agent, also where an API key is set. */
  args?: readonly string[]
  /** Variables beside those of the tests. `undefined` removes one. */
  env?: Readonly<Record<string, string | undefined>>
  /** Default: a new folder. */
  workdir?: string
}

/**
 * @param port 0 for any free one
 * @param before the demo whose workdir it goes on with
 */
export async function startDemo(
  port = 0,
  before?: DemoServer,
  { args = ['--agent', 'scripted'], env = {}, workdir: given }: DemoStart = {},
): Promise<DemoServer> {
  const workdir = before?.workdir ?? given ?? (await mkdtemp(join(tmpdir(), 'sandagent-demo-')))
  const server = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...env, PORT: `${port}`, SANDAGENT_WORKDIR: workdir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(server, 'exit')
  let output = ''
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk
    if (/^ready /m.test(output)) break
  }
  server.stdout.resume()
  const url = /^ready (\S+)$/m.exec(output)?.[1]
  if (url === undefined) throw new Error(`The demo ended before it was ready: ${output}`)
  const stop = async (): Promise<number | null> => {
    server.kill('SIGTERM')
    const [code] = await exit
    return code
  }
  return {
    url,
    workdir,
    output,
    stop,
    async kill() {
      server.kill('SIGKILL')
      await exit
    },
    async close() {
      const code = await stop()
      // The agents of a server that was killed.
      const sandbox = new LocalSandbox({ workdir })
      for (const { runId } of await listRuns(sandbox)) await stopRun(sandbox, runId, { graceMs: 0 })
      await rm(workdir, { recursive: true, maxRetries: 10 })
      return code
    },
  }
}

/** The demo for a group of tests: started before the first, closed after the last. */
export function sharedDemo(): () => DemoServer {
  let demo: DemoServer
  beforeAll(async () => {
    demo = await startDemo()
  })
  afterAll(() => demo.close())
  return () => demo
}
