// Builds the documentation's site, with everything it needs installed. With --serve it shows the site, too.

import { join } from 'node:path'
import { root, runOrExit } from './run.mjs'

const folder = join(root, 'apps/docs')

await runOrExit('node', ['scripts/install.mjs'])
await runOrExit('npm', ['run', '--silent', 'build'], { cwd: folder })
if (process.argv.includes('--serve')) await runOrExit('npm', ['run', '--silent', 'serve'], { cwd: folder })
