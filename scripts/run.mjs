import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs a command in the repository with its output on this terminal.
 * Commands of installed packages are found first, as in an npm script.
 *
 * @param {string} command
 * @param {string[]} [args]
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<number>} the exit code
 */
export function run(command, args = [], { cwd = root, env = {} } = {}) {
  const path = [join(cwd, 'node_modules/.bin'), join(root, 'node_modules/.bin'), process.env.PATH]
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env, PATH: path.join(delimiter) },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
  process.on('SIGTERM', forward)
  process.on('SIGINT', ignore)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => {
      process.off('SIGTERM', forward)
      process.off('SIGINT', ignore)
      resolve(code ?? 1)
    })
  })
}

/** Ctrl-C reaches the child by itself; this process waits for it. */
function ignore() {}

/**
 * As `run`, and ends this process when the command fails.
 *
 * @param {Parameters<typeof run>} args
 */
export async function runOrExit(...args) {
  const code = await run(...args)
  if (code !== 0) process.exit(code)
}

/**
 * @param {string} command
 * @returns {string | undefined} where PATH has the command
 */
export function findCommand(command) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, command))
    .find((path) => existsSync(path))
}
