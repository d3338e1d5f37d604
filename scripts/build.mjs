// Builds every package with tsc, and the demo's page with Vite.

import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, runOrExit } from './run.mjs'

await runOrExit('tsc', ['-b', 'tsconfig.build.json'])
for (const name of readdirSync(join(root, 'packages'))) copyStyles(join(root, 'packages', name))
await runOrExit('npm', ['run', '--silent', 'build'], { cwd: join(root, 'apps/demo') })

/**
 * tsc leaves style sheets and their declarations where they are; a package ships them beside its modules.
 *
 * @param {string} folder
 */
function copyStyles(folder) {
  const files = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  for (const sheet of files.filter((path) => /\.css(\.d\.ts)?$/.test(path))) {
    const target = join(folder, 'dist', sheet)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(folder, 'src', sheet), target)
  }
}
