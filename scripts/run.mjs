import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Runs a command with its output on this terminal. Commands of installed packages are found first, as in an npm script.
 *
 * @param {string} command
 * @param {string[]} [args]
 * @param {{ cwd?: string, env?: Record<string, string>, quiet?: boolean, onLine?: (line: string) => void }} [options]
 *   `quiet` shows the output only when the command fails. `onLine` gets each line of it instead
 * @returns {Promise<number>} the exit code
 */
export function run(command, args = [], { cwd = root, env = {}, quiet = false, onLine } = {}) {
  const output = quiet || onLine ? 'pipe' : 'inherit'
  const child = spawn(command, args, {
    cwd,
    env: {
      ...process.env,
      ...env,
      PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    },
    stdio: ['inherit', output, output],
    shell: process.platform === 'win32',
  })
  /** @type {Buffer[]} */
  const kept = []
  for (const stream of [child.stdout, child.stderr]) {
    if (onLine && stream) createInterface(stream).on('line', onLine)
    else stream?.on('data', (chunk) => kept.push(chunk))
  }
  // Ctrl-C reaches the child by itself; a signal sent to this process alone does not.
  const forward = () => child.kill('SIGTERM')
  process.on('SIGTERM', forward).on('SIGINT', ignore)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      process.off('SIGTERM', forward).off('SIGINT', ignore)
      if (code !== 0) process.stderr.write(Buffer.concat(kept))
      resolve(code ?? 1)
    })
  })
}

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
