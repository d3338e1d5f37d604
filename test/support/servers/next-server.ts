import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LocalSandbox, listRuns, stopRun } from '@sandagent/sdk'
import { execute } from '../packed-project.ts'

const app = fileURLToPath(new URL('../../../apps/next-example', import.meta.url))
const next = join(app, 'node_modules/next/dist/bin/next')

/** The Next.js example in a process of its own, with a folder of its own for the users' sandboxes. */
export interface NextServer {
  url: string
  /** The sandbox of a user, by what the session cookie says of them. */
  sandboxOf(session: string): LocalSandbox
  /** Everything that the server has printed so far. */
  output(): string
  /** Stops it and every run that it started, and removes the sandboxes. */
  close(): Promise<void>
}

/** Builds the example, as `next start` needs it; resolves to what that prints. */
export const buildNextExample = (): Promise<string> =>
  execute(
    'sh',
    ['-c', 'unset CI; NEXT_TELEMETRY_DISABLED=1 exec "$0" "$1" build 2>&1', process.execPath, next],
    app,
  )

export async function startNextExample(): Promise<NextServer> {
  const workspace = await mkdtemp(join(tmpdir(), 'sandagent-next-'))
  const server = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: app,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', SANDAGENT_WORKDIR: workspace },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(server, 'exit')
  let output = ''
  const ready = new Promise<void>((resolve) => {
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (/Ready/.test(output)) resolve()
      })
  })
  await Promise.race([ready, exit])
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
  if (url === undefined) throw new Error(`The server ended before it was ready: ${output}`)

  const sandboxOf = (session: string): LocalSandbox =>
    new LocalSandbox({ workdir: join(workspace, session.replace(/\..*/, '')) })
  return {
    url,
    sandboxOf,
    output: () => output,
    async close() {
      server.kill('SIGTERM')
      await exit
      for (const sandbox of (await readdir(workspace)).map(sandboxOf))
        for (const { runId } of await listRuns(sandbox)) await stopRun(sandbox, runId)
      await rm(workspace, { recursive: true, maxRetries: 10 })
    },
  }
}
