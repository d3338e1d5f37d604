import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { fileStamp } from './file-stamp.ts'

/** With more names than this, one list of the directory is cheaper than looking for each. */
const FEW = 50

const STAMPS_AT_ONCE = 32

/** Two changes of a directory at one moment can leave the same stamp. In milliseconds. */
const SETTLING_MS = 2000

/** How often all files are looked at where the directory's stamp has not changed, in milliseconds: some systems keep none. */
const EVERY_MS = 5000

const MISSING = 'ENOENT'

/** What polling knows of the watched files of a directory. */
export interface WatchedFiles {
  add(name: string): void
  remove(name: string): void
  /**
   * The files that changed since the last look, or are there at the first. While the directory's stamp stays the same, no file
   * came or went: only files that exist can have changed, because they can be overwritten in place.
   *
   * @param stamp of the directory
   * @param now when the stamp was there, in milliseconds
   */
  look(stamp: string, now: number): Promise<string[]>
}

export function watchedFiles(directory: string): WatchedFiles {
  const names = new Set<string>()
  /** Names that were never looked at. */
  const added = new Set<string>()
  /** The stamps of the files that exist. */
  const stamps = new Map<string, string>()
  let last = { stamp: '', firstSeenAt: 0, lookedAt: Number.NEGATIVE_INFINITY }

  /** The stamps of those files that exist. */
  const stampsOf = async (due: readonly string[]): Promise<Map<string, string>> => {
    // A list names the few files that exist: thousands of watched names are not looked at one by one.
    const present = due.length > FEW ? new Set(await readdir(directory).catch(() => due)) : null
    const existing = present ? due.filter((name) => present.has(name)) : due
    const found = await pLimit(STAMPS_AT_ONCE).map(existing, (name) => fileStamp(join(directory, name)))
    return new Map(existing.map((name, index) => [name, found[index] as string]))
  }

  return {
    add(name) {
      names.add(name)
      added.add(name)
    },
    remove(name) {
      names.delete(name)
      added.delete(name)
      stamps.delete(name)
    },
    async look(stamp, now) {
      const isSame = stamp === last.stamp
      const isQuiet =
        isSame && last.lookedAt - last.firstSeenAt >= SETTLING_MS && now - last.lookedAt < EVERY_MS
      const due = [...(isQuiet ? new Set([...stamps.keys(), ...added]) : names)]
      const found = await stampsOf(due)
      if (!isQuiet) last = { stamp, firstSeenAt: isSame ? last.firstSeenAt : now, lookedAt: now }
      return due.filter((name) => {
        // A name that was added during this look waits for the next one.
        if (!names.has(name)) return false
        added.delete(name)
        const [before = MISSING, after = MISSING] = [stamps.get(name), found.get(name)]
        if (after === MISSING) stamps.delete(name)
        else stamps.set(name, after)
        return before !== after
      })
    },
  }
}
