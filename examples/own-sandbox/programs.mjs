// The programs of a sandbox. Here they are processes of this machine (Linux).
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { AskError } from '@sandagent/sdk'
import { codeOf, ignore } from './files.mjs'

/** @typedef {import('@sandagent/sdk').RunSandbox} RunSandbox */

const FORCE_AFTER_MS = 5000

/** The variables of the sandbox itself. The host's own are not passed on: its signing key may be among them. */
const own = (/** @type {string} */ workdir) => ({ PATH: process.env.PATH, HOME: workdir })

/** @type {(workdir: string) => RunSandbox['spawn']} */
export const spawner =
  (workdir) =>
  async (command, args = [], { env, signal } = {}) => {
    const child = spawn(command, args, { cwd: workdir, env: { ...own(workdir), ...env } })
    // Writing to a program that is gone is no failure of the host.
    child.stdin.on('error', () => {})
    const ended = endOf(child, 'close')
    const kill = () => {
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), FORCE_AFTER_MS)
      void ended.then(() => clearTimeout(force))
    }
    if (signal?.aborted) kill()
    signal?.addEventListener('abort', kill)
    void ended.then(() => signal?.removeEventListener('abort', kill))
    return { pid: child.pid, stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, ended, kill }
  }

/** A shell that waits for a word, and then becomes the program, under the same process number. */
const GATE = 'read -r word <&3; [ "$word" = go ] || exit 125; unset word; exec 3<&-; exec "$@"'

/** @type {(workdir: string, newFile: (path: string) => Promise<import('node:fs/promises').FileHandle>) => RunSandbox['detached']} */
export const detachedPrograms = (workdir, newFile) => ({
  async start(command, args, { env, stdout, stderr, beforeStart }) {
    const found = await spawner(workdir)('sh', ['-c', 'command -v "$1" >/dev/null', 'sh', command], { env })
    if ((await found.ended).exitCode !== 0) throw new AskError('NOT_FOUND', `There is no ${command}`)
    if (args.some((text) => text.includes('\0')))
      throw new AskError('INVALID_REQUEST', 'An argument has a NUL')
    const out = await newFile(stdout)
    const err = await newFile(stderr).catch((error) => out.close().then(() => Promise.reject(error)))
    try {
      const child = spawn('sh', ['-c', GATE, 'sh', command, ...args], {
        cwd: workdir,
        env: { ...own(workdir), ...env },
        detached: true, // A process group of its own, so that `kill` finds what it started.
        stdio: ['ignore', out.fd, err.fd, 'pipe'],
      })
      child.unref() // This process may end before the program.
      const ended = endOf(child, 'exit')
      if (child.pid === undefined) throw (await ended).error
      const gate = /** @type {import('node:stream').Writable} */ (child.stdio[3])
      gate.on('error', () => {}) // The shell was killed: `ended` says so.
      try {
        const handle = await handleOf(child.pid)
        await beforeStart?.(handle)
        gate.end('go\n')
        return { handle, ended }
      } catch (error) {
        gate.destroy() // The shell reads no word, and ends. The same happens when this process is killed here.
        child.ref()
        await ended
        throw error
      }
    } finally {
      await Promise.all([out.close(), err.close()])
    }
  },
  isRunning: async (handle) => (await find(handle)).state === 'running',
  async interrupt(handle) {
    const { state, pid } = await find(handle)
    if (state === 'running') send(pid, 'SIGTERM')
  },
  async kill(handle) {
    const { state, pid } = await find(handle)
    // A process group keeps its number while it has members, so this can only hit what the program left behind.
    if (state !== 'other') send(-pid, 'SIGKILL')
  },
})

/** A process number is given away again. With the time of its start and the boot, it names one process for good. */
async function handleOf(/** @type {number} */ pid) {
  return `${pid} ${(await startOf(pid)) ?? 'ended'} ${await boot()}`
}

/** @type {(handle: string) => Promise<{ state: 'running' | 'ended' | 'other', pid: number }>} */
async function find(handle) {
  const [, number, start, ofBoot] = /^([1-9]\d{0,9}) (\d+|ended) (\S+)$/.exec(handle) ?? []
  const pid = Number(number)
  if (!(pid > 1) || ofBoot !== (await boot())) return { state: 'other', pid: 0 }
  const found = await startOf(pid)
  if (found === null) return { state: 'ended', pid }
  return { state: found === start ? 'running' : 'other', pid }
}

/** When a process started, in ticks since the boot; `null` when it is gone. */
async function startOf(/** @type {number} */ pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(ignore('ENOENT', 'ESRCH'))
  const [state, ...fields] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  return state === undefined || state === 'Z' ? null : (fields[18] ?? null)
}

const boot = async () => (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()

/** @type {(pid: number, signal: NodeJS.Signals) => void} */
function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** @type {(child: import('node:child_process').ChildProcess, event: 'exit' | 'close') => Promise<import('@sandagent/sdk').ProcessEnd>} */
const endOf = (child, event) =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, signal: null, error }))
    child.once(event, (exitCode, signal) => resolve({ exitCode, signal }))
  })
