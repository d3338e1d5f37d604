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

/** A watched file that has changed, or that is found at the first look. */
interface FileChange {
  name: string
  isNew: boolean
}

/** What polling knows of the watched files of a directory. */
export interface WatchedFiles {
  add(name: string): void
  remove(name: string): void
  /**
   * The files that changed since the last look. While the directory's stamp stays the same, no file came or went: only files
   * that exist can have changed, because they can be overwritten in place.
   *
   * @param now milliseconds
   */
  look(now: () => number): Promise<FileChange[]>
}

export function watchedFiles(directory: string): WatchedFiles {
  const names = new Set<string>()
  /** Names that were never looked at. */
  const added = new Set<string>()
  /** The stamps of the files that exist. */
  const stamps = new Map<string, string>()
  let last = { stamp: '', firstSeenAt: 0, lookedAt: Number.NEGATIVE_INFINITY }

  /** Whether only files that exist, and new names, need a look. */
  const isQuiet = (stamp: string, now: number): boolean =>
    stamp === last.stamp && last.lookedAt - last.firstSeenAt >= SETTLING_MS && now - last.lookedAt < EVERY_MS

  /** The stamps of new names, of files that existed, and in a full look, of all files that may exist. */
  const stampsOf = async (isFull: boolean): Promise<Map<string, string>> => {
    const fresh = [...added] // A name that is added during this look waits for the next one.
    const isMany = (isFull ? names.size : fresh.length) > FEW
    const present = isMany ? await readdir(directory).catch(() => null) : null
    // A list names the few files that exist: thousands of watched names are not looked at one by one.
    const existing = (present ?? (isFull ? [...names] : [])).filter((name) => names.has(name))
    const due = [...new Set([...stamps.keys(), ...(present ? [] : fresh), ...existing])]
    const found = await pLimit(STAMPS_AT_ONCE).map(due, (name) => fileStamp(join(directory, name)))
    return new Map([
      ...fresh.map((name) => [name, MISSING] as const),
      ...due.map((name, index) => [name, found[index] as string] as const),
    ])
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
    async look(now) {
      const startedAt = now()
      const stamp = await fileStamp(directory)
      const isFull = !isQuiet(stamp, startedAt)
      const changes: FileChange[] = []
      for (const [name, after] of await stampsOf(isFull)) {
        if (!names.has(name)) continue
        const isNew = added.delete(name)
        // Who adds a name looks at the file after that, so a missing file is no news.
        if ((!isNew || after === MISSING) && (stamps.get(name) ?? MISSING) === after) continue
        if (after === MISSING) stamps.delete(name)
        else stamps.set(name, after)
        changes.push({ name, isNew })
      }
      if (isFull)
        last = { stamp, firstSeenAt: stamp === last.stamp ? last.firstSeenAt : now(), lookedAt: startedAt }
      return changes
    },
  }
}
