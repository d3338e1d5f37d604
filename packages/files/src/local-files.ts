import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { realPath, watchDirectory } from './directory-watch.ts'
import { errorCode } from './error-code.ts'
import { readFileSafely } from './read-file-safely.ts'
import { namesOf, safeFolder, safePath } from './safe-path.ts'
import type { SandboxFiles } from './sandbox-files.ts'
import { writeFileAtomic } from './write-file-atomic.ts'

/** The files of a workdir on this machine. The workdir itself may be a link. */
export function localFiles(workdir: string): SandboxFiles {
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
      const path = await safeFolder(root, directory)
      return readdir(path).catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') return []
        throw error
      })
    },
    watch: (directory, onChange) => watchDirectory(join(root, ...namesOf(directory)), onChange),
  }
}
