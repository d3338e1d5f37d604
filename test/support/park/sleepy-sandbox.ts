import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listRuns, type RunFiles, type RunSandbox, stopRun } from '@sandagent/sdk'
import { expect, onTestFinished, vi } from 'vitest'

/**
 * What sleep does to the programs of a sandbox. `freeze`: they stop where they are, as in a container that is paused.
 * `end`: only the files survive, as in a virtual machine that is shut down.
 */
export type Sleep = 'freeze' | 'end'

/** A folder whose programs really stop while it sleeps. Nobody can reach its files then. */
export interface SleepySandbox {
  sandbox: RunSandbox
  workdir: string
  sleep(): Promise<void>
  wake(): Promise<void>
  /** How often it woke. */
  woken(): number
  /** How often somebody tried to reach it while it slept. */
  disturbed(): number
  /** The states of its programs, as the kernel names them: `T` for a stopped one. Programs that are gone are left out. */
  programs(): Promise<string[]>
}

export async function sleepySandbox(kind: Sleep): Promise<SleepySandbox> {
  const local = new LocalSandbox({ workdir: join(await tempDir(), 'workdir'), isolation: 'none' })
  const groups = new Set<number>()
  let isAsleep = false
  let woken = 0
  let disturbed = 0

  const reach = async (): Promise<void> => {
    if (!isAsleep) return
    disturbed++
    throw new AskError('UNREACHABLE', 'This sandbox sleeps')
  }
  /** The same object, but each call fails while the sandbox sleeps. */
  const guarded = <T extends object>(object: T): T =>
    new Proxy(object, {
      get(target, key) {
        const value = Reflect.get(target, key)
        if (typeof value !== 'function' || key === 'watch') return value
        return async (...call: unknown[]) => {
          await reach()
          return Reflect.apply(value, target, call)
        }
      },
    })
  const signal = (name: NodeJS.Signals): void => {
    for (const group of groups)
      try {
        process.kill(-group, name)
      } catch {
        groups.delete(group) // It has ended by itself.
      }
  }

  const programs = async (): Promise<string[]> => {
    const states = [...groups].map(async (group) => {
      const text = await readFile(`/proc/${group}/stat`, 'utf8').catch(() => '')
      return text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3)
    })
    return (await Promise.all(states)).filter((state) => state !== '' && state !== 'Z')
  }

  const sandbox: RunSandbox = {
    workdir: local.workdir,
    files: guarded<RunFiles>(local.files),
    spawn: async (...call) => reach().then(() => local.spawn(...call)),
    detached: guarded({
      ...local.detached,
      async start(...call: Parameters<RunSandbox['detached']['start']>) {
        const program = await local.detached.start(...call)
        groups.add(Number.parseInt(program.handle, 10))
        return program
      },
    }),
  }
  onTestFinished(async () => {
    signal('SIGCONT')
    for (const { runId } of await listRuns(local)) await stopRun(local, runId, { graceMs: 0 })
  })
  return {
    sandbox,
    workdir: local.workdir,
    async sleep() {
      isAsleep = true
      signal(kind === 'freeze' ? 'SIGSTOP' : 'SIGKILL')
      // A virtual machine that is off runs nothing. A killed program may run for a moment on a busy machine.
      if (kind === 'end') await vi.waitFor(async () => expect(await programs()).toEqual([]))
    },
    async wake() {
      if (isAsleep) woken++
      if (kind === 'freeze') signal('SIGCONT')
      isAsleep = false
    },
    woken: () => woken,
    disturbed: () => disturbed,
    programs,
  }
}
