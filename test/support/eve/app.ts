import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@sandagent/fixtures/listen.ts'
import { vi } from 'vitest'
import { root } from '../../../scripts/run.mjs'

/** eve needs Node 24. It comes from npm, for Linux on x64 alone. */
export const node24 = join(root, 'test/node_modules/node24/bin/node')
const eve = join(root, 'test/node_modules/eve/bin/eve.js')
// In NODE_ENV=test, eve has a model of its own.
const env = { EVE_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }

/**
 * An application of eve that is built and served. Its model calls the tools that the prompt names, and says what they
 * return.
 */
export async function serveApp(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-eve-'))
  await cp(new URL('./app', import.meta.url), folder, { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  for (const [name, installed] of Object.entries({
    ai: 'ai-7',
    eve: 'eve',
    'just-bash': 'just-bash',
    zod: 'zod',
  }))
    await symlink(join(root, 'test/node_modules', installed), join(folder, 'node_modules', name))
  const options = { cwd: folder, env: { ...process.env, ...env } }
  await promisify(execFile)(node24, [eve, 'build'], options)
  const port = await freePort()
  // What `eve start` starts: killed, that would leave it behind.
  const server = spawn(node24, ['.output/server/index.mjs'], {
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
