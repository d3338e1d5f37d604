// Why it is so: docs/decisions/0091-what-is-known-is-not-read-again.md

import type { Stats } from 'node:fs'
import type { DiskCalls } from '../lib/disk-calls.ts'
import { isFresh, stampOf } from '../watch/file-stamp.ts'

/** How many files or folders are remembered. */
const MOST = 1000

/** What was read of files or folders, until they change. */
export interface Memory<T> {
  /** What was read at an absolute path, if the same is there, unchanged. `undefined`: read it. */
  recall(calls: DiskCalls, path: string): Promise<T | undefined>
  /** @param stats as they were before it was read */
  keep(calls: DiskCalls, path: string, stats: Stats, value: T): void
}

/** Remembers for the whole process: hosts make a channel for each request. */
export function createMemory<T>(): Memory<T> {
  const known = new Map<string, { stamp: string; value: T }>()
  return {
    async recall(calls, path) {
      const before = known.get(path)
      if (!before) return undefined
      try {
        const stats = await calls.lstat(path)
        if (stats && stampOf(stats) === before.stamp) return before.value
      } catch {
        // The read that follows tells what is wrong.
      }
      known.delete(path)
      return undefined
    },
    keep(calls, path, stats, value) {
      if (!calls.isLocal || isFresh(stats)) return
      if (known.size >= MOST) known.clear()
      known.set(path, { stamp: stampOf(stats), value })
    },
  }
}
