// Starts the web demo, with everything it needs installed and built.

import { join } from 'node:path'
import { build } from './build.mjs'
import { install } from './install.mjs'
import { root, runOrExit } from './run.mjs'

await install()
await build()
await runOrExit('npm', ['run', '--silent', 'start', '--', ...process.argv.slice(2)], {
  cwd: join(root, 'apps/demo'),
})
