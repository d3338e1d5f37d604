import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { OnWarning } from '@sandagent/core'
import { type Clock, systemClock } from '@sandagent/core'
import { fileStamp } from './file-stamp.ts'
import { poll } from './poll.ts'
import { createResilientWatch } from './resilient-watch.ts'

export interface WatchOptions {
  /** Watches this file only, and polls for it too, so that no change is missed. */
  name?: string
  /** Called when the system refuses to watch. Polling goes on. */
  onWarning?: OnWarning
  clock?: Clock
}

/**
 * Reports changes of the files in a directory, which may be missing at times. All watchers of a directory share one system
 * watch and one timer.
 *
 * @param onChange gets the name of the file, or `null` for any file; it may be called more often than there are changes
 * @returns stops reporting
 */
export function watchDirectory(
  directory: string,
  onChange: (name: string | null) => void,
  { name, onWarning = () => {}, clock = systemClock }: WatchOptions = {},
): () => void {
  const shared = sharedDirectory(realPath(directory), clock)
  const watcher: Watcher = { name: name ?? null, onChange, onWarning }
  shared.add(watcher)
  return () => shared.remove(watcher)
}

/** The path without links. If the path cannot be resolved, it is only made absolute. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

interface Watcher {
  name: string | null
  onChange: (name: string | null) => void
  onWarning: OnWarning
}

interface SharedDirectory {
  add(watcher: Watcher): void
  remove(watcher: Watcher): void
}

const directories = new WeakMap<Clock, Map<string, SharedDirectory>>()

function sharedDirectory(directory: string, clock: Clock): SharedDirectory {
  const ofClock = directories.get(clock) ?? new Map<string, SharedDirectory>()
  directories.set(clock, ofClock)
  const shared = ofClock.get(directory) ?? openDirectory(directory, clock, () => ofClock.delete(directory))
  ofClock.set(directory, shared)
  return shared
}

function openDirectory(directory: string, clock: Clock, onEmpty: () => void): SharedDirectory {
  const watchers = new Map<string | null, Set<Watcher>>()
  const stamps = new Map<string, string>()
  let reported = new Set<string>()
  let stopPolling: (() => void) | null = null

  const tell = (name: string | null): void => {
    const told = name === null ? [...watchers.values()] : [watchers.get(name), watchers.get(null)]
    for (const watcher of told.flatMap((set) => [...(set ?? [])])) watcher.onChange(name)
  }
  const systemWatch = createResilientWatch(directory, {
    onChange(name) {
      if (name !== null) reported.add(name)
      tell(name)
    },
    onWarning(warning) {
      for (const watcher of [...watchers.values()].flatMap((set) => [...set])) watcher.onWarning(warning)
    },
  })

  /** Looks at every watched file. Resolves to whether a file had changed without a report. */
  const round = async (): Promise<boolean> => {
    await systemWatch.refresh()
    const reportedBefore = reported
    reported = new Set()
    const names = [...watchers.keys()].filter((name) => name !== null)
    const found = await Promise.all(names.map((name) => fileStamp(join(directory, name))))
    let missed = false
    for (const [index, name] of names.entries()) {
      const before = stamps.get(name)
      if (before === found[index] || !watchers.has(name)) continue
      stamps.set(name, found[index] as string)
      missed ||= before !== undefined && !reportedBefore.has(name)
      tell(name)
    }
    return missed
  }

  return {
    add(watcher) {
      watchers.set(watcher.name, (watchers.get(watcher.name) ?? new Set()).add(watcher))
      const warning = systemWatch.warning()
      if (warning) watcher.onWarning(warning)
      stopPolling ??= poll(round, clock)
    },
    remove(watcher) {
      const set = watchers.get(watcher.name)
      if (!set?.delete(watcher) || set.size > 0) return
      watchers.delete(watcher.name)
      if (watcher.name !== null) stamps.delete(watcher.name)
      if (watchers.size > 0) return
      stopPolling?.()
      systemWatch.close()
      onEmpty()
    },
  }
}
