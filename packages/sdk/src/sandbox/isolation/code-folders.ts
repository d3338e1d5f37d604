import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { packageFolder } from '../package-folder.ts'
import { nodeProgram } from './node-program.ts'
import { foldersAbove, isInside } from './path-outside.ts'

/**
 * The folders of Node, this package and the packages beside it. Isolated programs can read them, but not write.
 *
 * @param own the folder of this package, without links
 */
export const codeFolders = (own: string = realpathSync(packageFolder())): string[] => [
  ...packageFolders(own),
  ...nodeFolders(),
]

function packageFolders(own: string): string[] {
  const names = own.split(sep)
  const modules = names.indexOf('node_modules')
  if (modules !== -1) return [names.slice(0, modules + 1).join(sep)]
  // In a clone of the repository, the packages are beside each other, and dependencies are installed above them.
  return [dirname(own), ...foldersAbove(own).map((folder) => join(folder, 'node_modules'))].filter(existsSync)
}

/** The folders of programs and libraries. Other folders are private: `~/.local/share` may hold passwords. */
const NODE_PARTS = ['bin', 'lib', 'libexec']

/** Where Node is installed, with npm and global packages; only Node itself if that folder is the user's home. */
function nodeFolders(): string[] {
  const node = realpathSync(nodeProgram())
  const folder = dirname(node)
  const prefix = dirname(folder)
  if (basename(folder) !== 'bin' || isInside(prefix, homedir())) return [node]
  // Without the comment Next.js takes this path for a reason to deploy every file of the project.
  return NODE_PARTS.map((part) => join(/* turbopackIgnore: true */ prefix, part)).filter(existsSync)
}
