import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ChannelWarning, OnWarning } from '@sandagent/core'
import { type Clock, systemClock } from '@sandagent/core'
import { type Poll, poll } from './poll.ts'
import { createResilientWatch } from './resilient-watch.ts'
import { watchedFiles } from './watched-files.ts'
import { createWatcherIndex } from './watcher-index.ts'

export interface WatchOptions {
  /** Watches these files only, and polls for them too, so that no change is missed. */
  names?: readonly string[]
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
  { names, onWarning = () => {}, clock = systemClock }: WatchOptions = {},
): () => void {
  return addWatcher(directory, { names: names ?? [null], onChange, onWarning }, clock)
}

/** The same for a watcher that is an object already. */
export function addWatcher(directory: string, watcher: Watcher, clock: Clock): () => void {
  const shared = sharedDirectory(directory, clock)
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

export interface Watcher {
  /** `null` stands for all names. */
  readonly names: readonly (string | null)[]
  onChange(name: string | null): void
  onWarning(warning: ChannelWarning): void
}

interface SharedDirectory {
  add(watcher: Watcher): void
  remove(watcher: Watcher): void
}

/**
 * By real paths, and by the paths that were given: thousands of watchers of a directory give the same. A link in a path that
 * moves while somebody waits is not followed.
 */
const directories = new WeakMap<Clock, Map<string, SharedDirectory>>()

function sharedDirectory(directory: string, clock: Clock): SharedDirectory {
  const ofClock = directories.get(clock) ?? new Map<string, SharedDirectory>()
  directories.set(clock, ofClock)
  const known = ofClock.get(directory)
  if (known) return known
  const path = realPath(directory)
  const shared =
    ofClock.get(path) ??
    openDirectory(path, clock, () => {
      for (const [name, other] of ofClock) if (other === shared) ofClock.delete(name)
    })
  ofClock.set(path, shared)
  ofClock.set(directory, shared)
  return shared
}

function openDirectory(directory: string, clock: Clock, onEmpty: () => void): SharedDirectory {
  const watchers = createWatcherIndex<Watcher>()
  const files = watchedFiles(directory)
  let reported = new Set<string>()
  let polling: Poll | null = null

  const tell = (name: string | null): void => {
    const told = name === null ? watchers.all() : [...watchers.of(name), ...watchers.of(null)]
    for (const watcher of told) watcher.onChange(name)
  }
  const systemWatch = createResilientWatch(directory, {
    onChange(name) {
      if (name !== null) reported.add(name)
      tell(name)
    },
    onWarning(warning) {
      for (const watcher of watchers.all()) watcher.onWarning(warning)
    },
  })

  /** Looks at the watched files. Resolves to whether a file had changed without a report. */
  const round = async (): Promise<boolean> => {
    await systemWatch.refresh()
    const reportedBefore = reported
    reported = new Set()
    const changes = await files.look(clock.now)
    for (const { name } of changes) tell(name)
    return changes.some(({ name, isNew }) => !isNew && !reportedBefore.has(name))
  }

  return {
    add(watcher) {
      for (const name of watcher.names) {
        if (name !== null && watchers.of(name).length === 0) files.add(name)
        watchers.add(name, watcher)
      }
      const warning = systemWatch.warning()
      if (warning) watcher.onWarning(warning)
      if (polling) polling.refresh()
      else polling = poll(round, clock)
    },
    remove(watcher) {
      for (const name of watcher.names)
        if (watchers.remove(name, watcher) && name !== null) files.remove(name)
      if (!watchers.isEmpty()) return
      polling?.stop()
      systemWatch.close()
      onEmpty()
    },
  }
}
