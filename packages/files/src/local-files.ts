import { lstat, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { realPath, watchDirectory } from './directory-watch.ts'
import { errorCode } from './error-code.ts'
import { openSafely } from './open-safely.ts'
import { MAX_FILE_BYTES, readFileSafely } from './read-file-safely.ts'
import type { RunFiles } from './run-files.ts'
import { namesOf, safeFolder, safePath } from './safe-path.ts'
import { writeFileAtomic } from './write-file-atomic.ts'

/** The files of a workdir on this machine. The workdir itself may be a link. */
export function localFiles(workdir: string): RunFiles {
  const root = resolve(workdir)
  return {
    id: realPath(root),
    async read(path) {
      return readFileSafely(await safePath(root, path))
    },
    async writeAtomic(path, text, options) {
      await writeFileAtomic(await safePath(root, path), text, options)
    },
    async list(directory) {
      return orWhenMissing([], readdir(await safeFolder(root, directory)))
    },
    watch: (directory, onChange) => watchDirectory(join(root, ...namesOf(directory)), onChange),
    async stat(path) {
      const stats = await orWhenMissing(null, lstat(await safePath(root, path)))
      return stats && { size: stats.size, modifiedAt: stats.mtimeMs }
    },
    async readFrom(path, offset) {
      const file = await openSafely(await safePath(root, path))
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
    async remove(path) {
      await rm(await safePath(root, path), { recursive: true, force: true })
    },
  }
}

async function orWhenMissing<T, U>(value: U, found: Promise<T>): Promise<T | U> {
  try {
    return await found
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return value
    throw error
  }
}
