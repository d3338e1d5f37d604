import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm } from './pnpm.mjs'
import { root } from './run.mjs'

/**
 * Packs the packages as they would be published.
 *
 * @param {string} folder where the archives go
 * @param {string} [cwd] another copy of this repository
 * @returns {Promise<{ code: number, archives: string[] }>} pnpm's exit code, and the paths of the archives
 */
export async function packPackages(folder, cwd = root) {
  const packages = ['--filter=./packages/*', '--filter=!@sandagent/fixtures']
  const code = await pnpm([...packages, 'pack', '--pack-destination', folder], { quiet: true, cwd })
  const names = code === 0 ? readdirSync(folder).filter((name) => name.endsWith('.tgz')) : []
  return { code, archives: names.map((name) => join(folder, name)) }
}
