// Builds every package with tsc, and the demo's page with Vite.

import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { install } from './install.mjs'
import { root, runOrExit } from './run.mjs'

export async function build() {
  await runOrExit('tsc', ['-b'])
  copyStyles()
  await runOrExit('npm', ['run', '--silent', 'build'], { cwd: join(root, 'apps/demo') })
}

/** tsc leaves style sheets where they are; the packages ship them beside the modules. */
function copyStyles() {
  for (const name of readdirSync(join(root, 'packages'))) {
    const source = join(root, 'packages', name, 'src')
    if (!existsSync(source)) continue
    const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.css'),
    )
    for (const sheet of sheets) {
      const target = join(root, 'packages', name, 'dist', sheet)
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(join(source, sheet), target)
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await install()
  await build()
}
