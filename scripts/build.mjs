// Builds every package with tsc, the programs with Rolldown, and the pages of the demo and of the inbox with Vite.

import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundleAll } from './bundle.mjs'
import { root, runOrExit } from './run.mjs'

await runOrExit('tsc', ['-b', 'tsconfig.build.json'])
await bundleAll()
copyStyles('packages/react/src', 'packages/react/dist')
copyStyles('packages/react/src', 'packages/sdk/dist/react') // for `@sandagent/sdk/react/styles.css`
for (const app of ['demo', 'inbox'])
  await runOrExit('npm', ['run', '--silent', 'build'], { cwd: join(root, 'apps', app) })

/**
 * tsc copies no style sheets. A package ships them, and their declarations, beside its modules.
 *
 * @param {string} from
 * @param {string} to
 */
function copyStyles(from, to) {
  mkdirSync(join(root, to), { recursive: true })
  for (const name of ['styles.css', 'styles.css.d.ts'])
    copyFileSync(join(root, from, name), join(root, to, name))
}
