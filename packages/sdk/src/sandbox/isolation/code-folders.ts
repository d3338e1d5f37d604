import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInside } from './is-inside.ts'
import { nodeProgram } from './node-program.ts'

/**
 * The folders with the code that runs inside: this package with what is installed beside it, the `sandagent` command
 * among it, and Node. They must be readable there, and must not be writable.
 */
export const codeFolders = (): string[] => [...packageFolders(), ...nodeFolders()]

/** The folder of this package, two above the folder of this file, whether that is a source or was built. */
export const packageFolder = (): string => join(dirname(fileURLToPath(import.meta.url)), '../../..')

function packageFolders(): string[] {
  const own = realpathSync(packageFolder())
  const names = own.split(sep)
  const modules = names.indexOf('node_modules')
  if (modules !== -1) return [names.slice(0, modules + 1).join(sep)]
  // A clone of the repository: the packages stand side by side, and are installed with what is above them.
  return [dirname(own), ...foldersAbove(own).map((folder) => join(folder, 'node_modules'))].filter(existsSync)
}

/** Where programs and their libraries are, beside what is nobody's business: `~/.local/share` may hold passwords. */
const NODE_PARTS = ['bin', 'lib', 'libexec']

/** Where Node is installed, with npm and what was installed globally; Node alone where that would be the user's home. */
function nodeFolders(): string[] {
  const node = realpathSync(nodeProgram())
  const folder = dirname(node)
  const prefix = dirname(folder)
  if (basename(folder) !== 'bin' || isInside(prefix, homedir())) return [node]
  // Without the comment Next.js takes this path for a reason to deploy every file of the project.
  return NODE_PARTS.map((part) => join(/* turbopackIgnore: true */ prefix, part)).filter(existsSync)
}

const foldersAbove = (path: string): string[] => {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...foldersAbove(parent)]
}
