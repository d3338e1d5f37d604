import { lstat, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode, failedWith, MAX_FILE_BYTES, unreachable } from '@sandagent/core/internal'
import pLimit from 'p-limit'
import { breathe } from '../lib/breathe.ts'
import { folderIdentityOf } from '../lib/place.ts'
import { realPath, watchDirectory } from '../watch/directory-watch.ts'
import { fileStamp } from '../watch/file-stamp.ts'
import { callsFor, type OwnerOf } from './access.ts'
import { openSafely } from './create-file.ts'
import { diskCalls } from './disk-calls.ts'
import { atFile, inFolder } from './folder.ts'
import { removeLeftovers } from './leftovers.ts'
import { readBeneath } from './read-file.ts'
import { callsForReader, letEnter, readerOf } from './reader.ts'
import { removeEntry } from './remove-entry.ts'
import { removeOld } from './remove-old.ts'
import type { RunFiles } from './run-files.ts'
import { namesOf } from './safe-path.ts'
import { MOST_NAMES } from './sandbox-files.ts'
import { writeFileAtomic } from './write-file.ts'
import { syncDirectory } from './write-synced.ts'

/** The files of a workdir on this machine. While the workdir is missing, reading fails with `UNREACHABLE`. */
export const createLocalFiles = (workdir: string): RunFiles => createOwnedFiles(workdir)

/** The same. `ownerOf` says who gets the files and folders that are made. */
export function createOwnedFiles(workdir: string, ownerOf?: OwnerOf): RunFiles {
  const root = realPath(workdir)

  const refuseMissingRoot = async (): Promise<void> => {
    await stat(root).catch((why: unknown) => {
      throw unreachable('The sandbox’s folder cannot be reached', why)
    })
  }

  const orWhenMissing = async <T, U>(value: U, found: Promise<T>): Promise<T | U> => {
    try {
      return await found
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
      await refuseMissingRoot()
      return value
    }
  }

  const namesIn = async (folder: string): Promise<string[]> => {
    await breathe()
    return diskCalls(root).names(folder, MOST_NAMES)
  }

  return {
    id: root,
    read: (path) => reading(() => orWhenMissing(null, readBeneath(root, path))),
    writeAtomic(path, text, options) {
      const write = (): Promise<void> =>
        atFile(
          root,
          path,
          async (held, folder) => {
            const owner = ownerOf?.(path)
            const plain = diskCalls(root)
            // A file with an owner is shared with that owner already.
            const wanted = owner === undefined && options?.reader !== undefined ? [options.reader, path] : []
            const reader = await readerOf(plain, root, wanted)
            if (reader) await letEnter(reader, plain, dirname(held), folder)
            const calls = reader ? callsForReader(reader, plain) : callsFor(owner, plain)
            await writeFileAtomic(held, text, options, { calls, folder })
            await removeLeftovers(dirname(held), basename(held), join(root, dirname(path)))
          },
          { make: true, ownerOf },
        )
      // A claim may be there already: it would refuse its own file.
      const tries = options?.claim === undefined && options?.revision === undefined ? MOST_TRIES : 1
      const lasting = async (left: number): Promise<void> => {
        try {
          await write()
        } catch (error) {
          if (errorCode(error) !== 'ENOENT' || left === 1) throw error
          await refuseMissingRoot()
          await lasting(left - 1)
        }
      }
      // The limit comes first: waiting writers must not hold descriptors.
      return diskCalls(root).writing(() => lasting(tries))
    },
    async sync(directory) {
      const calls = diskCalls(root)
      const sync = (folder: string, opened?: number): Promise<void> => syncDirectory(calls, folder, opened)
      return calls.writing(() => orWhenMissing(undefined, inFolder(root, namesOf(directory), sync)))
    },
    async list(directory) {
      const names = directory === '.' ? [] : namesOf(directory)
      return listing(() => orWhenMissing([], inFolder(root, names, namesIn)))
    },
    async stamps(directory) {
      const names = directory === '.' ? [] : namesOf(directory)
      const stamps = async (folder: string): Promise<Map<string, string>> =>
        stampsOf(folder, await namesIn(folder))
      return listing(() => orWhenMissing(new Map<string, string>(), inFolder(root, names, stamps)))
    },
    async removeOld(directory, options) {
      const sweep = async (folder: string): Promise<void> =>
        removeOld(diskCalls(root), folder, await namesIn(folder), options)
      return orWhenMissing(undefined, inFolder(root, namesOf(directory), sweep))
    },
    async place(directory) {
      try {
        const stats = await diskCalls(root).lstat(join(root, ...namesOf(directory)))
        return stats?.isDirectory() ? folderIdentityOf(stats) : undefined
      } catch (error) {
        // Something else is where a folder should be: writing there says so.
        if (failedWith(error, ['ENOTDIR'])) return undefined
        throw error
      }
    },
    watch: (directory, onChange) =>
      watchDirectory(join(root, ...namesOf(directory)), [null], { onChange, onWarning() {} }),
    async stat(path) {
      const stats = await reading(() =>
        orWhenMissing(
          null,
          atFile(root, path, (held) => lstat(held)),
        ),
      )
      return stats && { size: stats.size, modifiedAt: stats.mtimeMs }
    },
    async readFrom(path, offset, most = MAX_FILE_BYTES) {
      const calls = diskCalls(root)
      const file = await orWhenMissing(
        null,
        atFile(root, path, (held) => openSafely(calls, held)),
      )
      if (file === null) return null
      try {
        const { size } = await calls.stat(file)
        const piece = Buffer.allocUnsafe(Math.max(0, Math.min(size - offset, most, MAX_FILE_BYTES)))
        return piece.subarray(0, await calls.read(file, piece, offset))
      } finally {
        await calls.close(file)
      }
    },
    remove: (path) =>
      orWhenMissing(
        undefined,
        atFile(root, path, (held) => removeEntry(dirname(held), basename(held))),
      ),
  }
}

/** How often a write is tried while somebody removes its folder. One removal ends several tries: it removes file after folder. */
const MOST_TRIES = 5

/** Each read holds up to two descriptors. A process may have only 256. */
const reading = pLimit(32)

/** Each list holds one descriptor, and the names of a folder. */
const listing = pLimit(8)

const STAMPS_AT_ONCE = 32

async function stampsOf(folder: string, names: readonly string[]): Promise<Map<string, string>> {
  const stamps = await pLimit(STAMPS_AT_ONCE).map(names, (name) => fileStamp(join(folder, name)))
  return new Map(names.map((name, index) => [name, stamps[index] as string]))
}
