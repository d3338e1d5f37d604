import { basename, dirname, join } from 'node:path/posix'
import { AskError } from '@sandagent/core'
import type { RunFiles } from '@sandagent/files'
import type { DetachedPrograms, ProcessEnd } from '@sandagent/sdk'
import { aborted } from './aborted.ts'
import { handlersOf } from './task.ts'
import { variablesOf } from './variables.ts'

interface Prepared {
  begin(): void
  drop(): void
  started: Promise<{ ended: Promise<ProcessEnd> }>
}

/** Files beside a program's output. They tell a later relay what an earlier one has done. */
const markOf = (stdout: string, name: 'prepared' | 'begun'): string =>
  join(dirname(stdout), `.${basename(stdout)}.${name}`)

/**
 * Starts programs in two steps, because a host writes a record in between, and because the connection can be lost at any
 * moment. A program that was only prepared ends with its relay. Before one begins, a mark is written that can be written only
 * once. So a repeated `begin` finds out whether the program has begun, and never lets it begin twice.
 */
export function startHandlers(
  files: RunFiles,
  detached: DetachedPrograms,
  whenGone: (handle: string, signal: AbortSignal) => Promise<void>,
) {
  const programs = new Map<string, Prepared>()

  const refuseExisting = async (paths: readonly string[]): Promise<void> => {
    for (const path of paths)
      if (await files.stat(path))
        throw new AskError('CONFLICT', `The file ${path} exists already. Choose another name`, {
          facts: { path },
        })
  }

  /** Takes the place of the outputs. What an earlier relay made there for the same request is removed. */
  const claim = async (token: string, outputs: readonly string[], again: boolean): Promise<string> => {
    const mark = markOf(outputs[0] as string, 'prepared')
    if (again && (await files.read(mark)) === token) {
      for (const path of outputs) await files.remove(path)
      return mark
    }
    await refuseExisting(outputs)
    await files.writeAtomic(mark, token, { exclusive: true })
    return mark
  }

  return handlersOf({
    async prepare({ token, command, args, env, hosts, stdout, stderr }, { again }) {
      const mark = await claim(token, [stdout, stderr], again)
      try {
        const handle = await new Promise<string>((resolve, reject) => {
          const beforeStart = (handle: string): Promise<void> =>
            new Promise((begin, refuse) => {
              const drop = (): void => refuse(new AskError('UNREACHABLE', 'The start was given up'))
              programs.set(token, { begin, drop, started })
              resolve(handle)
            })
          const options = { env: variablesOf(env), hosts, stdout, stderr, beforeStart }
          const started = detached.start(command, args, options)
          started.catch(reject)
        })
        return { handle }
      } catch (error) {
        await files.remove(mark)
        throw error
      }
    },

    async begin({ token, stdout }) {
      const program = programs.get(token)
      const mark = markOf(stdout, 'begun')
      const never = `never ${token}`
      try {
        await files.writeAtomic(mark, program ? token : never, { exclusive: true })
      } catch (error) {
        const earlier = error instanceof AskError && error.code === 'CONFLICT' ? await files.read(mark) : null
        if (earlier !== token && earlier !== never) throw error
        return earlier === token
      }
      if (!program) return false
      program.begin()
      await program.started
      return true
    },

    async drop({ token }) {
      const program = programs.get(token)
      programs.delete(token)
      program?.drop()
      // Whoever began the program is told why it did not start.
      await program?.started.catch(() => {})
      return null
    },

    async settle({ stdout }) {
      for (const name of ['prepared', 'begun'] as const) await files.remove(markOf(stdout, name))
      return null
    },

    async whenEnded({ token, handle }, { signal }) {
      const program = programs.get(token)
      if (program) {
        const { ended } = await program.started
        const end = await Promise.race([ended, aborted(signal)])
        if (end) {
          programs.delete(token)
          return { exitCode: end.exitCode, signal: end.signal }
        }
      }
      // Another relay started it, so nobody knows its exit code.
      await whenGone(handle, signal)
      return { exitCode: null, signal: null }
    },
  })
}
