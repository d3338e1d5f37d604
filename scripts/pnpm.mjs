import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.mjs'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * Runs pnpm in the version that package.json names. It comes through npx, so that Node and npm are enough.
 *
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function pnpm(args, options) {
  return run('npx', ['--yes', packageManager, ...args], options)
}
