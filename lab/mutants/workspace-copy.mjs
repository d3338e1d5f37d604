// A copy of the repository, as it is built, in which sources can be broken.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** What tests do not read. */
const LEFT_OUT = new Set(['.git', 'lab/bench/.peers', 'lab/bench/results', 'apps/docs/dist'])

/**
 * @param {string} root
 * @returns {Promise<{ root: string, temporary: string, remove: () => void }>}
 */
export async function copyWorkspace(root) {
  // Sockets of tests have short names only below a short path.
  const folder = mkdtempSync(join(tmpdir(), 'mut-'))
  const copy = { root: join(folder, 'w'), temporary: join(folder, 't') }
  // Some tests run as another user.
  chmodSync(folder, 0o755)
  mkdirSync(copy.temporary)
  chmodSync(copy.temporary, 0o1777)
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.on('exit', remove)
  await cp(root, copy.root, {
    recursive: true,
    // Links between packages are relative: in the copy they lead to the copy.
    verbatimSymlinks: true,
    filter: (path) => path !== join(root, 'node_modules') && !LEFT_OUT.has(relative(root, path)),
  })
  symlinkSync(join(root, 'node_modules'), join(copy.root, 'node_modules'))
  return {
    ...copy,
    remove() {
      remove()
      process.off('exit', remove)
    },
  }
}
