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

  const stampsOf = async (due: readonly string[]): Promise<string[]> => {
    const unknown = due.filter((name) => !stamps.has(name))
    const present = unknown.length > FEW ? new Set(await readdir(directory).catch(() => unknown)) : null
    const isMissing = (name: string): boolean => present?.has(name) === false && !stamps.has(name)
    const others = due.filter((name) => !isMissing(name))
    const found = await pLimit(STAMPS_AT_ONCE).map(others, (name) => fileStamp(join(directory, name)))
    const stampOf = new Map(others.map((name, index) => [name, found[index] as string]))
    return due.map((name) => stampOf.get(name) ?? MISSING)
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
      const due = isFull ? [...names] : [...new Set([...stamps.keys(), ...added])]
      const found = await stampsOf(due)
      const changes: FileChange[] = []
      for (const [index, name] of due.entries()) {
        if (!names.has(name)) continue
        const isNew = added.delete(name)
        const after = found[index] as string
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
