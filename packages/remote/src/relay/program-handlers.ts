import { dirname } from 'node:path/posix'
import { type Clock, createWakeSignal, sleep } from '@sandagent/core/internal'
import type { LocalSandbox } from '@sandagent/sdk'
import { startHandlers } from './prepared-programs.ts'
import { withRunner } from './runner-in-one-file.ts'
import { spawnHandler } from './spawn-handler.ts'
import { handlersOf } from './task.ts'

/** How often a program and its files are looked at, in milliseconds. Here that costs the host nothing. */
const LOOK_MS = 250

export function programHandlers(
  sandbox: LocalSandbox,
  runner: readonly [string, ...string[]] | undefined,
  clock: Clock,
) {
  const { files, detached } = sandbox

  const whenGone = async (handle: string, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await detached.isRunning(handle))) await sleep(clock, LOOK_MS, signal)
  }

  const lengthOf = async (paths: readonly string[]): Promise<number> => {
    const stats = await Promise.all(paths.map((path) => files.stat(path)))
    return stats.reduce((sum, stat) => sum + (stat?.size ?? 0), 0)
  }

  return handlersOf({
    ...startHandlers(files, runner ? withRunner(sandbox, runner) : detached, whenGone),
    spawn: spawnHandler(sandbox),

    activeIsolation: () => sandbox.activeIsolation(),

    isRunning: ({ handle }) => detached.isRunning(handle),

    async interrupt({ handle }) {
      await detached.interrupt(handle)
      return null
    },

    async kill({ handle }) {
      await detached.kill(handle)
      return null
    },

    async until({ handle, files: paths, bytes }, { signal }) {
      const wakeSignal = createWakeSignal(signal)
      const folders = new Set(paths.map((path) => dirname(path)))
      const stops = [...folders].map((folder) => folder !== '.' && files.watch?.(folder, wakeSignal.ring))
      try {
        while (!signal.aborted && (await lengthOf(paths)) <= bytes && (await detached.isRunning(handle))) {
          const cancelTimer = clock.after(LOOK_MS, wakeSignal.ring)
          await wakeSignal.sleep()
          cancelTimer()
        }
      } finally {
        for (const stop of stops) if (stop) stop()
      }
      return null
    },
  })
}
