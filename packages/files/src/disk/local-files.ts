import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, failedWith, MAX_FILE_BYTES, unreachable } from '@sandagent/core/internal'
import { breathe } from '../lib/breathe.ts'
import { below, type DiskCalls, diskCalls, isMissing } from '../lib/disk-calls.ts'
import { eachAtOnce } from '../lib/each-at-once.ts'
import { limitTo } from '../lib/limit-to.ts'
import { folderIdentityOf } from '../lib/place.ts'
import { realPath, watchDirectory } from '../watch/directory-watch.ts'
import { fileStamp } from '../watch/file-stamp.ts'
import { type OwnerOf, ownersGive, readersGive } from './access.ts'
import { atFile, type Folder, inFolder, namesOf } from './folder.ts'
import { createMemory } from './memory.ts'
import { readFileSafely, withFile } from './read-file.ts'
import { removeEntry, removeLeftovers, removeOld } from './removal.ts'
import { MOST_NAMES, type RunFiles, type WriteOptions } from './sandbox-files.ts'
import { syncFolder } from './sync.ts'
import { renameFile, writeBytesAt, writeIn } from './write-file.ts'

/** The files of a workdir on this machine. While the workdir is missing, reading fails with `UNREACHABLE`. */
export const createLocalFiles = (workdir: string): RunFiles => createOwnedFiles(workdir)

/**
 * The same. `ownerOf` says who gets the files and folders that are made.
 *
 * @param areMostlyMissing files are looked for before their folder is opened, which takes a tenth of the time
 */
export function createOwnedFiles(workdir: string, ownerOf?: OwnerOf, areMostlyMissing = false): RunFiles {
  const root = realPath(workdir)

  const refuseMissingRoot = async (): Promise<void> => {
    try {
      if (await diskCalls(root).lstat(root)) return
    } catch {
      // The slow way tells what is wrong.
    }
    await stat(root).catch((why: unknown) => {
      throw unreachable('The sandbox’s folder cannot be reached', why)
    })
  }

  const orNull = async <T>(found: Promise<T>): Promise<T | null> => {
    try {
      return await found
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
      await refuseMissingRoot()
      return null
    }
  }

  /** Reads a file, if its folder is there. */
  const fromFile = <T>(path: string, read: (calls: DiskCalls, file: string) => Promise<T>) =>
    reading(async () => {
      await breathe()
      return orNull(atFile(root, path, ({ calls, path: folder }, name) => read(calls, below(folder, name))))
    })

  /** Lists a folder, if it is there. */
  const fromFolder = <T>(directory: string, list: (folder: Folder) => Promise<T>) =>
    listing(() => orNull(inFolder(root, directory, list)))

  const write = async (
    path: string,
    text: string,
    options: WriteOptions | undefined,
    [folder, name]: [Folder, string],
  ): Promise<void> => {
    const owner = ownerOf?.(path)
    let give = owner && ownersGive(owner)
    // A file with an owner is shared with that owner already.
    if (!owner && options?.reader !== undefined) {
      give = await readersGive(folder.calls, below(root, options.reader), below(root, path))
      give?.(folder.opened, 0o700)
    }
    await writeIn(folder, name, text, options, give)
    await removeLeftovers(folder, name, below(root, dirname(path)))
  }

  return {
    id: root,
    async read(path) {
      await breathe()
      const full = `${root}/${path}`
      const known = await texts.recall(diskCalls(root), full)
      if (known !== undefined) return known
      if (areMostlyMissing && (await isMissing(root, path))) return null
      return fromFile(path, (calls, file) => {
        const keep = (stats: Stats, text: string): void => {
          if (text.length <= LONGEST_KEPT) texts.keep(calls, full, stats, text)
        }
        return readFileSafely(calls, file, keep, areMostlyMissing)
      })
    },
    // The limit comes first: waiting writers must not hold descriptors.
    writeAtomic: (path, text, options) =>
      diskCalls(root).writing(async () => {
        // A claim may be there already: it would refuse its own file.
        let tries = options?.claim === undefined && options?.revision === undefined ? MOST_TRIES : 1
        for (;;)
          try {
            return await atFile(root, path, (...file) => write(path, text, options, file), {
              make: true,
              ownerOf,
            })
          } catch (error) {
            tries--
            if (errorCode(error) !== 'ENOENT' || tries === 0) throw error
            await refuseMissingRoot()
          }
      }),
    writeAt: (path, bytes, offset, { reader } = {}) =>
      diskCalls(root).writing(() => writeBytesAt(root, path, { bytes, offset, ownerOf, reader })),
    rename: (path, name) => diskCalls(root).writing(() => renameFile(root, path, name)),
    sync: (directory) =>
      diskCalls(root).writing(async () => {
        await orNull(inFolder(root, directory, ({ calls, opened }) => syncFolder(calls, opened)))
      }),
    async list(directory) {
      const full = `${root}/${directory}`
      const known = await lists.recall(diskCalls(root), full)
      if (known) return [...known]
      const read = async (folder: Folder): Promise<string[]> => {
        const stats = await folder.calls.stat(folder.opened)
        const names = await namesIn(folder)
        if (names.length <= MOST_KEPT) lists.keep(folder.calls, full, stats, [...names])
        return names
      }
      return (await fromFolder(directory, read)) ?? []
    },
    stamps: async (directory) => (await fromFolder(directory, stampsIn)) ?? new Map<string, string>(),
    async removeOld(directory, options) {
      await orNull(
        inFolder(root, directory, async (folder) => removeOld(folder, await namesIn(folder), options)),
      )
    },
    async place(directory) {
      try {
        const stats = await diskCalls(root).lstat(below(root, namesOf(directory).join('/')))
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
      const stats = await fromFile(path, async (calls, file) => calls.lstat(file))
      return stats ? { size: stats.size, modifiedAt: stats.mtimeMs } : null
    },
    readFrom: (path, offset, most = MAX_FILE_BYTES) =>
      fromFile(path, (calls, file) =>
        withFile(calls, file, async (opened, { size }) => {
          const piece = Buffer.allocUnsafe(Math.max(0, Math.min(size - offset, most, MAX_FILE_BYTES)))
          return piece.subarray(0, await calls.read(opened, piece, offset))
        }),
      ),
    async remove(path) {
      await orNull(atFile(root, path, removeEntry))
    },
  }
}

/** Longer texts, in characters, and folders with more names are read again: agents write some of them. */
const LONGEST_KEPT = 16_384
const MOST_KEPT = 100

const texts = createMemory<string>()
const lists = createMemory<readonly string[]>()

/**
 * How often a write is tried while somebody removes its folder. One removal ends several tries: it removes file after folder.
 */
const MOST_TRIES = 5

/** Each read holds up to two descriptors. A process may have only 256. */
const reading = limitTo(32)

/** Each list holds one descriptor, and the names of a folder. */
const listing = limitTo(8)

async function namesIn({ calls, path }: Folder): Promise<string[]> {
  await breathe()
  return calls.names(path, MOST_NAMES)
}

const STAMPS_AT_ONCE = 32

async function stampsIn(folder: Folder): Promise<Map<string, string>> {
  const stamps = new Map<string, string>()
  await eachAtOnce(await namesIn(folder), STAMPS_AT_ONCE, async (name) => {
    await breathe()
    stamps.set(name, await fileStamp(join(folder.path, name), folder.calls))
  })
  return stamps
}
