import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/run.mjs'

/** The scope of the package that isolates programs. */
const ISOLATION = '@anthropic-ai'

/** Starts a run whose agent prints one line, and prints what became of it. */
const HOST = `
import { LocalSandbox, startRun } from '@sandagent/sdk'
const sandbox = new LocalSandbox({ workdir: 'workdir', isolation: process.argv[2], onIsolation: () => {} })
const request = { agent: 'command', args: ['--', 'sh', '-c', 'echo hello'], prompt: 'Go' }
const alive = setInterval(() => {}, 60_000) // A run does not keep its host.
try {
  const run = await new Promise((onEnd, reject) =>
    startRun(sandbox, request, { signingKeys: null, onEnd }).catch(reject))
  console.log(JSON.stringify({ state: run.state, reason: run.reason }))
} catch ({ code, message }) {
  console.log(JSON.stringify({ code, message }))
}
clearInterval(alive)
`

/**
 * Installs the host's package into a folder with nothing of the workspace above it, and writes a host.
 *
 * @param withRuntime whether the package that isolates programs is installed beside it
 */
export async function installHost(app: string, withRuntime = true): Promise<void> {
  const sdk = join(app, 'node_modules/@sandagent/sdk')
  for (const name of ['dist', 'package.json'])
    await cp(join(root, 'packages/sdk', name), join(sdk, name), { recursive: true })
  const dependencies = join(root, 'packages/sdk/node_modules')
  await mkdir(join(sdk, 'node_modules'))
  for (const name of await readdir(dependencies))
    if (name !== ISOLATION) await symlink(join(dependencies, name), join(sdk, 'node_modules', name))
  if (withRuntime) await installRuntime(sdk)
  await writeFile(join(app, 'host.mjs'), HOST)
}

/** Installs the package that isolates programs. Its programs are read inside, so they must lie there. */
export const installRuntime = (folder: string): Promise<void> =>
  cp(join(root, 'packages/sdk/node_modules', ISOLATION), join(folder, 'node_modules', ISOLATION), {
    recursive: true,
    dereference: true,
  })

/** Installs the runner into a folder's packages; resolves to its program. */
export async function installRunner(folder: string): Promise<string> {
  const place = join(folder, 'node_modules/sandagent')
  for (const name of ['dist', 'package.json'])
    await cp(join(root, 'packages/cli', name), join(place, name), { recursive: true })
  return join(place, 'dist/main.js')
}

/** A folder on the `PATH` with a command in it: a link to a program, or a script. */
export async function commandIn(
  folder: string,
  command: { link: string } | { script: string },
): Promise<void> {
  const path = join(folder, 'sandagent')
  await mkdir(dirname(path), { recursive: true })
  if ('link' in command) await symlink(command.link, path)
  else await writeFile(path, command.script, { mode: 0o755 })
}

/** Runs the host of an app without npx, as a service manager does. */
export async function runHost(
  app: string,
  { isolation = 'auto', cwd = app, path = [] }: { isolation?: string; cwd?: string; path?: string[] } = {},
): Promise<{ state?: string; reason?: string; code?: string; message?: string }> {
  const PATH = [...path, '/usr/bin', '/bin'].join(':')
  const args = [join(app, 'host.mjs'), isolation]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env: { ...process.env, PATH } })
  return JSON.parse(stdout)
}
