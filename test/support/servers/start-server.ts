import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { LocalSandbox, listRuns, stopRun } from '@sandagent/sdk'
import { expect, onTestFinished, vi } from 'vitest'
import { root } from '../../../scripts/run.mjs'

/** The folder of the starts that the documentation shows. */
export const starts: string = join(root, 'examples/start')

/**
 * Runs a program of a start, or of a project in another folder, as its `npm` script would, until the test ends; resolves to the
 * address that it prints.
 */
export async function startServer(name: string, ...args: string[]): Promise<string> {
  const cwd = resolve(starts, name)
  const PATH = [join(cwd, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  // With CI, Vite prints its address in colours.
  const plain = { NO_COLOR: '1', FORCE_COLOR: undefined }
  const env = {
    ...process.env,
    ...plain,
    PATH,
    PORT: '0',
    NEXT_TELEMETRY_DISABLED: '1',
    NODE_ENV: undefined,
  }
  const server = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'close')
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await ended
    const sandbox = new LocalSandbox({ workdir: join(cwd, 'workspace') })
    for (const { runId } of await listRuns(sandbox)) await stopRun(sandbox, runId)
    await rm(join(cwd, 'workspace/.sandagent'), { recursive: true, force: true })
  })
  let output = ''
  server.stdout.on('data', (printed) => {
    output += printed
  })
  const port = await vi.waitFor(() => {
    const found = /127\.0\.0\.1(?:', family: 'IPv4', port: |:)(\d+)/.exec(output)?.[1]
    expect(found).toBeDefined()
    return found
  })
  return `http://127.0.0.1:${port}`
}
