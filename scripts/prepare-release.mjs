import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packPackages } from './pack-packages.mjs'
import { root, run } from './run.mjs'

/** What a release is made of. The rest of the repository stays out of the copy. */
const NEEDED = [
  ...['.changeset', 'examples/start', 'packages', 'scripts'],
  ...[
    'LICENSE',
    'package.json',
    'pnpm-workspace.yaml',
    'tsconfig.base.json',
    'tsconfig.build.json',
    'tsconfig.test.base.json',
  ],
]

/**
 * Makes the next versions, their change logs and their archives in a copy of this repository, which must be built.
 *
 * @param {string} folder where the copy goes, and the archives beside it
 * @returns {Promise<{ code: number, version: string, archives: string[], copy: string }>} the exit code of what failed, or 0
 */
export async function prepareRelease(folder) {
  const copy = join(folder, 'copy')
  for (const name of NEEDED)
    cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const steps = [
    () => run('changeset', ['version'], { cwd: copy, quiet: true }),
    // The part for sandboxes holds its version.
    () => run(process.execPath, ['-e', BUNDLE], { cwd: copy, quiet: true }),
  ]
  for (const step of steps) {
    const code = await step()
    if (code !== 0) return { code, version: '', archives: [], copy }
  }
  const { version } = JSON.parse(readFileSync(join(copy, 'packages/cli/package.json'), 'utf8'))
  return { ...(await packPackages(join(folder, 'archives'), copy)), version, copy }
}

const BUNDLE = "import('./scripts/bundle.mjs').then(({ bundleAll }) => bundleAll())"
