import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian does not put the programs of the Postgres server into PATH. */
const POSTGRES = '/usr/lib/postgresql'

/**
 * @param {string} command
 * @returns {string | undefined} where the command is
 */
export function findCommand(command) {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(POSTGRES, version, 'bin')),
  ]
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path))
}
