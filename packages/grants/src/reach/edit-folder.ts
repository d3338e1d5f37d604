import { lstatSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { failedWith, fileEditsIn, isObject } from '@sandagent/core/internal'

/** A tool call, and the workdir on this machine, if it is here. */
export interface Call {
  toolName: string
  input: unknown
  hostFolder: string | undefined
}

/** Tools whose edits are known, and the fields that do not change which file they write. */
const EDIT_TOOLS = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'write_file', 'replace', 'write', 'edit']
const KNOWN_FIELDS = new Set(
  'file_path path notebook_path filePath content old_string new_string oldString newString new_source edits replace_all replaceAll expected_replacements instruction cell_id cell_type edit_mode'.split(
    ' ',
  ),
)

export const isEditTool = (toolName: string): boolean => EDIT_TOOLS.includes(toolName)

/** The characters of a path that is shown as it is, and means on every system what it seems to. */
const PLAIN_PATH = /^[A-Za-z0-9_@+.,=() -]+$/

/**
 * The folder of the file that a call edits, below the workdir and with `/` between names; '' is the workdir. Or why nobody can
 * tell. A link may lead elsewhere, and a name with a dot may be a file of settings that runs programs.
 */
export function folderOfEdits({ toolName, input, hostFolder }: Call): { folder: string } | { why: string } {
  const paths = new Set(fileEditsIn(toolName, input).map(({ path }) => path))
  const [path] = paths
  if (hostFolder === undefined || path === undefined || paths.size > 1 || !isObject(input))
    return { why: 'nobody can tell which file it writes' }
  if (!Object.keys(input).every((name) => KNOWN_FIELDS.has(name)))
    return { why: 'nobody can tell which file it writes' }
  const way = isAbsolute(path) ? relative(hostFolder, path) : path
  // What `relative` makes of a path with `..` in it is another text than the agent's.
  if (isAbsolute(path) && join(hostFolder, way) !== path) return { why: 'its path is not plain' }
  const names = way.split(sep)
  if (names.includes('..')) return { why: 'its file is elsewhere' }
  if (names.some((name) => name.startsWith('.')))
    return { why: 'the name of its file or folder begins with a dot' }
  if (!names.every((name) => PLAIN_PATH.test(name) && name === name.trim()))
    return { why: 'its path is not plain' }
  if (hasLink(hostFolder, names)) return { why: 'a link leads to its file' }
  return { folder: names.slice(0, -1).join('/') }
}

/** Whether the file or a folder on the way to it is a link. What is missing is none. */
function hasLink(root: string, names: readonly string[]): boolean {
  let path = root
  for (const name of names) {
    path = join(path, name)
    try {
      if (lstatSync(path).isSymbolicLink()) return true
    } catch (error) {
      if (failedWith(error, ['ENOENT'])) return false
      return true
    }
  }
  return false
}
