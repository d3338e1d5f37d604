import { lstat, opendir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { createLimit } from '../lib/create-limit.ts'
import { errorCode } from '../lib/error-code.ts'
import { unreachable } from '../lib/unreachable.ts'
import { realPath, watchDirectory } from '../watch/directory-watch.ts'
import { fileStamp } from '../watch/file-stamp.ts'
import { removeLeftovers } from './leftovers.ts'
import { atFile, inFolder } from './open-beneath.ts'
import { openSafely } from './open-safely.ts'
import { readFileSafely } from './read-file-safely.ts'
import { removeEntry } from './remove-entry.ts'
import type { RunFiles } from './run-files.ts'
import { namesOf } from './safe-path.ts'
import { writeFileAtomic } from './write-file-atomic.ts'

/** The files of a workdir on this machine. While the workdir is missing, reading fails with `UNREACHABLE`. */
export function createLocalFiles(workdir: string): RunFiles {
  const root = realPath(workdir)

  const orWhenMissing = async <T, U>(value: U, found: Promise<T>): Promise<T | U> => {
    try {
      return await found
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
      await stat(root).catch((why: unknown) => {
        throw unreachable('The sandbox’s folder cannot be reached', why)
      })
      return value
    }
  }

  return {
    id: root,
    read: (path) => orWhenMissing(null, atFile(root, path, readFileSafely)),
    writeAtomic: (path, text, options) =>
      // The limit comes first: waiting writers must not hold descriptors.
      limited(() =>
        atFile(
          root,
          path,
          async (held) => {
            await writeFileAtomic(held, text, options)
            await removeLeftovers(dirname(held), basename(held), join(root, dirname(path)))
          },
          { make: true },
        ),
      ),
    async list(directory) {
      const names = directory === '.' ? [] : namesOf(directory)
      return orWhenMissing([], inFolder(root, names, namesIn))
    },
    async stamps(directory) {
      const names = directory === '.' ? [] : namesOf(directory)
      return orWhenMissing(new Map(), inFolder(root, names, stampsIn))
    },
    watch: (directory, onChange) => watchDirectory(join(root, ...namesOf(directory)), onChange),
    async stat(path) {
      const stats = await orWhenMissing(
        null,
        atFile(root, path, (held) => lstat(held)),
      )
      return stats && { size: stats.size, modifiedAt: stats.mtimeMs }
    },
    async readFrom(path, offset) {
      const file = await orWhenMissing(null, atFile(root, path, openSafely))
      if (file === null) return null
      try {
        const { size } = await file.stat()
        const piece = Buffer.allocUnsafe(Math.max(0, Math.min(size - offset, MAX_FILE_BYTES)))
        const { bytesRead } = await file.read(piece, 0, piece.length, offset)
        return piece.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    remove: (path) =>
      orWhenMissing(
        undefined,
        atFile(root, path, (held) => removeEntry(dirname(held), basename(held))),
      ),
  }
}

/** Few files are written at once. Syncs are slow, and Node has four threads for all files: some stay free for reading. */
const limited = createLimit(2)

const STAMPS_AT_ONCE = 32

async function stampsIn(folder: string): Promise<Map<string, string>> {
  const stamps = new Map<string, string>()
  const names = await namesIn(folder)
  for (let from = 0; from < names.length; from += STAMPS_AT_ONCE) {
    const some = names.slice(from, from + STAMPS_AT_ONCE)
    const found = await Promise.all(some.map((name) => fileStamp(join(folder, name))))
    for (const [index, name] of some.entries()) stamps.set(name, found[index] as string)
  }
  return stamps
}

/** A limit for the memory of the host: an agent can make millions of files. */
const MOST_NAMES = 100_000

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(folder, { bufferSize: 1000 })) {
    names.push(name)
    if (names.length === MOST_NAMES) break
  }
  return names
}
