import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { AskError } from '@sandagent/core'
import { createFileSafely, findProcess, type OwnerOf, processHandle } from '@sandagent/files/internal'
import { REQUEST_DESCRIPTOR } from '../isolation/launch-request.ts'
import type { DetachedPrograms } from './detached-programs.ts'
import { behindGate } from './gate.ts'
import { asUser, type LaunchOf } from './launch.ts'
import type { ProcessEnd } from './process.ts'

export const localDetached = (
  workdir: string,
  { launchOf, ownerOf }: { launchOf: LaunchOf; ownerOf: OwnerOf | undefined },
): DetachedPrograms => ({
  async start(command, args, { env, hosts, stdout, stderr, beforeStart }) {
    const outputs: FileHandle[] = []
    try {
      for (const path of [stdout, stderr]) outputs.push(await createFileSafely(workdir, path, ownerOf))
      const planned = await launchOf(command, args, { env, hosts })
      const { request, ...program } =
        planned.request === undefined
          ? await behindGate(planned, workdir)
          : { ...planned, request: planned.request }
      const child = launch(program.command, program.args, {
        cwd: workdir,
        env: { ...program.env },
        ...asUser(program.user),
        detached: true,
        stdio: ['ignore', ...outputs.map(({ fd }) => fd), 'pipe'],
      })
      // This process may end while the program goes on.
      child.unref()
      const ended = endOf(child)
      const { error } = child.pid === undefined ? await ended : {}
      if (error)
        throw new AskError('NOT_FOUND', `${command} cannot be started: ${error.message}`, { cause: error })
      const gate = child.stdio[REQUEST_DESCRIPTOR] as Writable
      try {
        const handle = await processHandle(child.pid as number)
        await beforeStart?.(handle)
        await open(gate, request)
        return { handle, ended }
      } catch (error) {
        gate.destroy()
        child.ref() // The caller learns of the error even if nothing else keeps this process.
        await ended
        throw error
      }
    } finally {
      await Promise.all(outputs.map((file) => file.close()))
    }
  },

  isRunning: async (handle) => (await findProcess(handle)).state === 'running',

  async interrupt(handle) {
    const found = await findProcess(handle)
    if (found.state === 'running') sendSignal('SIGTERM', found.pid)
  },

  async kill(handle) {
    const found = await findProcess(handle)
    // While the group has members, no new process gets the number of its leader.
    if ('pid' in found) sendSignal('SIGKILL', -found.pid)
  },
})

function launch(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(command, args, options)
  } catch (cause) {
    // An argument has a NUL character, or is too long for the system.
    throw new AskError(
      'INVALID_REQUEST',
      `${command} cannot be started like this: a word has a NUL character, or is too long`,
      { cause },
    )
  }
}

/** Sends the request, so that the program begins. */
async function open(gate: Writable, request: string): Promise<void> {
  gate.end(request)
  // It fails where the program ended before it had read everything: see its exit code.
  await finished(gate, { readable: false }).catch(() => {})
  gate.destroy()
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    child.once('error', (error) => resolve({ exitCode: null, signal: null, error }))
  })
}

/** Sends a signal to a process, or by a negative number to a group, if it still runs. */
export function sendSignal(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
