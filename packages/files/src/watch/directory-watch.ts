import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ChannelWarning } from '@sandagent/core'
import { type Clock, systemClock } from '@sandagent/core'
import { pathStamp } from './file-stamp.ts'
import { type Poll, poll } from './poll.ts'
import { createResilientWatch } from './resilient-watch.ts'
import { watchedFiles } from './watched-files.ts'

export interface Watcher {
  /** Gets the name of the file, or `null` for any file. It may be called more often than there are changes. */
  onChange(name: string | null): void
  /** Called when the system refuses to watch. Polling goes on. */
  onWarning(warning: ChannelWarning): void
}

/**
 * Reports changes of the files in a directory, which may be missing at times. All watchers of a directory share one system
 * watch and one timer. A link in the path that moves while somebody waits is not followed.
 *
 * @param names the files to watch, which are polled for too, so that no change is missed. `null` stands for all names, and is
 *   not polled
 * @returns stops reporting
 */
export function watchDirectory(
  directory: string,
  names: Names,
  watcher: Watcher,
  clock: Clock = systemClock,
): () => void {
  const shared = sharedDirectory(directory, clock)
  shared.add(names, watcher)
  return () => shared.remove(names, watcher)
}

/** The path without links. If the path cannot be resolved, it is only made absolute. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}

type Names = readonly (string | null)[]

interface SharedDirectory {
  readonly isWatched: boolean
  add(names: Names, watcher: Watcher): void
  remove(names: Names, watcher: Watcher): void
}

const directories = new WeakMap<Clock, Map<string, SharedDirectory>>()

/**
 * How many directories the system goes on watching when nobody waits there. To begin a watch, Linux visits all files of the
 * directory that it has in memory: that would make each question dearer than the one before.
 */
const MOST_PAUSED = 16
/** What ends the watches of these directories, the oldest first. */
const paused = new Set<() => void>()

function sharedDirectory(directory: string, clock: Clock): SharedDirectory {
  const ofClock = directories.get(clock) ?? new Map<string, SharedDirectory>()
  directories.set(clock, ofClock)
  const path = ofClock.get(directory)?.isWatched ? directory : realPath(directory)
  const known = ofClock.get(path)
  if (known) return known
  const shared = openDirectory(path, clock, () => {
    if (ofClock.get(path) === shared) ofClock.delete(path)
  })
  ofClock.set(path, shared)
  return shared
}

function openDirectory(directory: string, clock: Clock, onEmpty: () => void): SharedDirectory {
  /** Almost every name has one watcher, and there may be thousands of names. `concat` reserves no room for more entries. */
  const watchers = new Map<string | null, readonly Watcher[]>()
  const watchersOf = (name: string | null): readonly Watcher[] => watchers.get(name) ?? []
  const allWatchers = (): Iterable<Watcher> => new Set([...watchers.values()].flat())
  const files = watchedFiles(directory)
  let polling: Poll | null = null

  const onChange = (name: string | null): void => {
    const told = name === null ? allWatchers() : [...watchersOf(name), ...watchersOf(null)]
    for (const watcher of told) watcher.onChange(name)
  }
  const systemWatch = createResilientWatch(directory, {
    onChange,
    onWarning(warning) {
      for (const watcher of allWatchers()) watcher.onWarning(warning)
    },
  })

  const end = (): void => {
    paused.delete(end)
    systemWatch.close()
    onEmpty()
  }

  const round = async (): Promise<boolean> => {
    const { identity, stamp } = await pathStamp(directory)
    systemWatch.refresh(identity)
    const changed = await files.look(stamp, clock.now())
    for (const name of changed) onChange(name)
    return changed.length > 0
  }

  return {
    get isWatched() {
      return watchers.size > 0
    },
    add(names, watcher) {
      if (paused.delete(end)) systemWatch.resume()
      for (const name of names) {
        if (name !== null && !watchers.has(name)) files.add(name)
        watchers.set(name, watchersOf(name).concat(watcher))
      }
      const warning = systemWatch.warning()
      if (warning) watcher.onWarning(warning)
      if (polling) polling.refresh()
      else polling = poll(round, clock)
    },
    remove(names, watcher) {
      for (const name of names) {
        const left = watchersOf(name).filter((other) => other !== watcher)
        if (left.length > 0) watchers.set(name, left)
        else if (watchers.delete(name) && name !== null) files.remove(name)
      }
      if (watchers.size > 0) return
      polling?.stop()
      polling = null
      if (!systemWatch.pause()) return end()
      paused.add(end)
      const [oldest] = paused
      if (paused.size > MOST_PAUSED) oldest?.()
    },
  }
}
