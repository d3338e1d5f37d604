// A whole sandbox of your own: its files and its programs.
import { mkdirSync, realpathSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { AskError } from '@sandagent/sdk'
import { codeOf, createFiles, place } from './files.mjs'
import { detachedPrograms, spawner } from './programs.mjs'

/**
 * @param {{ folder: string }} options
 * @returns {import('@sandagent/sdk').RunSandbox}
 */
export function createSandbox({ folder }) {
  mkdirSync(folder, { recursive: true })
  const workdir = realpathSync(folder)
  /** @type {(path: string) => Promise<import('node:fs/promises').FileHandle>} */
  const newFile = async (path) => {
    try {
      return await open(await place(workdir, path, { make: true }), 'ax', 0o600)
    } catch (error) {
      throw codeOf(error) === 'EEXIST' ? new AskError('CONFLICT', 'The file exists', { cause: error }) : error
    }
  }
  return {
    workdir,
    files: createFiles(workdir),
    spawn: spawner(workdir),
    detached: detachedPrograms(workdir, newFile),
    // Leave this out when the folder is on another machine. Then name the variables that the runner needs in `passEnv`.
    hostFolder: workdir,
  }
}
