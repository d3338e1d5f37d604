import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * @param {string} command
 * @returns {string | undefined} where PATH has the command
 */
export function findCommand(command) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path))
}
