import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { AskError } from '@sandagent/core'
import { createFileSafely, findProcess, processHandle } from '@sandagent/files'
import type { DetachedPrograms } from './detached-programs.ts'
import { REQUEST_DESCRIPTOR } from './isolation/launch-request.ts'
import type { LaunchOf } from './launch.ts'
import type { ProcessEnd } from './sandbox.ts'

/** Detached programs of a folder on this machine. */
export const localDetached = (workdir: string, launchOf: LaunchOf): DetachedPrograms => ({
  async start(command, args, { env, hosts, stdout, stderr }) {
    const outputs: FileHandle[] = []
    try {
      for (const path of [stdout, stderr]) outputs.push(await createFileSafely(workdir, path))
      const { request, ...program } = await launchOf(command, args, { env, hosts })
      const child = launch(program.command, program.args, {
        cwd: workdir,
        env: { ...program.env },
        detached: true,
        stdio: [
          'ignore',
          ...outputs.map(({ fd }) => fd),
          ...(request === undefined ? [] : ['pipe' as const]),
        ],
      })
      // This process may end while the program goes on.
      child.unref()
      const ended = endOf(child)
      const { error } = child.pid === undefined ? await ended : {}
      if (error) throw new AskError('NOT_FOUND', `${command} cannot be started`, { cause: error })
      if (request !== undefined) await hand(child, request)
      return { handle: await processHandle(child.pid as number), ended }
    } finally {
      await Promise.all(outputs.map((file) => file.close()))
    }
  },

  isRunning: async (handle) => (await findProcess(handle)).state === 'running',

  async interrupt(handle) {
    const found = await findProcess(handle)
    if (found.state === 'running') send('SIGTERM', found.pid)
  },

  async kill(handle) {
    const found = await findProcess(handle)
    // A group keeps the number of a leader that has ended: as long as there are members, no new process gets it.
    if ('pid' in found) send('SIGKILL', -found.pid)
  },
})

function launch(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(command, args, options)
  } catch (cause) {
    // An argument that holds a NUL character, or is longer than the system takes.
    throw new AskError('INVALID_REQUEST', `${command} cannot be started like this`, { cause })
  }
}

/** Says everything to the launcher, and lets go of it. */
async function hand(child: ChildProcess, request: string): Promise<void> {
  const stream = child.stdio[REQUEST_DESCRIPTOR] as Writable
  stream.on('error', () => {}) // It ended before it had read everything: its own end tells of that.
  stream.end(request)
  await finished(stream, { readable: false }).catch(() => {})
  stream.destroy()
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    child.once('error', (error) => resolve({ exitCode: null, signal: null, error }))
  })
}

/** Sends a signal; negative numbers are process groups. What has ended meanwhile needs none. */
function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
