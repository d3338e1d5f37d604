// The files of a sandbox. Here they are a folder of this machine. Put the calls of your sandbox in place of `node:fs`.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { link, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AskError } from '@sandagent/sdk'

const MIB = 1024 * 1024
// A link is not followed, and a pipe does not make the reader wait.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * @param {string} workdir
 * @returns {import('@sandagent/sdk').RunFiles}
 */
export function createFiles(workdir) {
  /** @type {(path: string, offset: number, length: number) => Promise<Buffer | null>} */
  const piece = async (path, offset, length) => {
    const file = await orNull(open(await place(workdir, path), READ))
    if (!file) return null
    try {
      const stats = await file.stat()
      if (!stats.isFile()) throw unsafe(path)
      const bytes = Buffer.alloc(Math.min(Math.max(stats.size - offset, 0), length))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
      return bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  return {
    id: workdir,
    async read(path) {
      const bytes = await piece(path, 0, MIB + 1)
      if (bytes && bytes.length > MIB) throw new AskError('TOO_LARGE', 'This file is too long')
      return bytes?.toString('utf8') ?? null
    },
    readFrom: (path, offset) => piece(path, offset, MIB),
    async writeAtomic(path, text, { exclusive = false, revision, claim } = {}) {
      const target = await place(workdir, path, { make: true })
      const folder = dirname(target)
      const hidden = hiddenName(folder)
      try {
        // Older hosts overwrite answer files in place. A final answer is not theirs to change.
        await writeNew(hidden, text, claim === undefined ? 0o600 : 0o400)
        // A hard link fails when the name is taken. So of several writers, one succeeds.
        for (const sibling of [revision, claim])
          if (sibling !== undefined) await link(hidden, join(folder, sibling))
        await (exclusive ? link(hidden, target) : rename(hidden, target))
      } catch (error) {
        throw codeOf(error) === 'EEXIST'
          ? new AskError('CONFLICT', 'The file exists', { cause: error })
          : error
      } finally {
        await rm(hidden, { force: true })
      }
      await sync(folder)
    },
    list: async (folder) => (await orNull(readdir(await place(workdir, folder, { isFolder: true })))) ?? [],
    async stat(path) {
      const stats = await orNull(lstat(await place(workdir, path)))
      return stats && { size: stats.size, modifiedAt: stats.mtimeMs }
    },
    remove: async (path) => rm(await place(workdir, path), { recursive: true, force: true }),
  }
}

/**
 * Where a path of the sandbox is. No part of it may lead elsewhere, and no folder of it may be a link.
 *
 * @param {string} workdir
 * @param {string} path
 * @param {{ make?: boolean, isFolder?: boolean }} [options] whether missing folders are made, and whether the path is a folder
 */
export async function place(workdir, path, { make = false, isFolder = false } = {}) {
  await stat(workdir).catch((cause) => {
    throw new AskError('UNREACHABLE', 'The folder of the sandbox is missing', { cause })
  })
  if (path === '.' && isFolder) return workdir
  const names = path.split('/')
  if (names.some((name) => ['', '.', '..'].includes(name) || name.includes('\0'))) throw unsafe(path)
  for (let depth = 1; depth < names.length + Number(isFolder); depth++) {
    const folder = join(workdir, ...names.slice(0, depth))
    if (make) await mkdir(folder, { mode: 0o700 }).catch(ignore('EEXIST'))
    const stats = await orNull(lstat(folder))
    if (stats && !stats.isDirectory()) throw unsafe(path)
  }
  return join(workdir, ...names)
}

/** @param {string} folder */
const hiddenName = (folder) => join(folder, `.${randomUUID()}.tmp`)

/** @type {(path: string, text: string, mode: number) => Promise<void>} returns when the text is on the disk */
async function writeNew(path, text, mode) {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** @param {string} folder whose names must survive a power cut */
async function sync(folder) {
  const opened = await open(folder, 'r')
  await opened.sync().finally(() => opened.close())
}

/** @type {<T>(found: Promise<T>) => Promise<T | null>} only a missing file is `null`; every other error counts */
const orNull = (found) =>
  found.catch((error) => {
    if (codeOf(error) === 'ENOENT') return null
    throw ['ELOOP', 'ENOTDIR', 'ENXIO'].includes(codeOf(error)) ? unsafe('', error) : error
  })

/** @param {unknown} error */
export const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code ?? ''

/** @type {(...codes: string[]) => (error: unknown) => void} */
export const ignore =
  (...codes) =>
  (error) => {
    if (!codes.includes(codeOf(error))) throw error
  }

/** @type {(path: string, cause?: unknown) => AskError} */
const unsafe = (path, cause) =>
  new AskError('UNSAFE_PATH', 'This path leads out, or to no regular file', { facts: { path }, cause })
