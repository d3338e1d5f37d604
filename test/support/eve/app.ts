import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@sandagent/fixtures/listen.ts'
import { vi } from 'vitest'
import { root } from '../../../scripts/run.mjs'

const eve = join(root, 'test/node_modules/eve/bin/eve.js')
// In NODE_ENV=test, eve has a model of its own.
const env = { EVE_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }

/**
 * An application of eve that is built and served. Its model calls the tools that the prompt names, and says what they
 * return.
 *
 * @param node its program; eve needs Node 24
 */
export async function serveApp(node: string): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-eve-'))
  await cp(new URL('./app', import.meta.url), folder, { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  for (const name of ['ai-7', 'eve', 'just-bash', 'zod'])
    await symlink(join(root, 'test/node_modules', name), join(folder, 'node_modules', name))
  const options = { cwd: folder, env: { ...process.env, ...env } }
  await promisify(execFile)(node, [eve, 'build'], options)
  const port = await freePort()
  // What `eve start` starts: killed, that would leave it behind.
  const server = spawn(node, ['.output/server/index.mjs'], {
    cwd: folder,
    env: { ...options.env, HOST: '127.0.0.1', PORT: `${port}` },
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => {
    if (!(await fetch(`${url}/eve/v1/health`)).ok) throw new Error('eve does not serve yet')
  })
  return {
    url,
    async close() {
      server.kill('SIGKILL')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
