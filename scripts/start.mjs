// Starts the web demo, with everything it needs installed and built.

import { join } from 'node:path'
import { root, run, runOrExit } from './run.mjs'

await runOrExit('npm', ['run', '--silent', 'build'])
const args = ['run', '--silent', 'start', '--', ...process.argv.slice(2)]
process.exitCode = await run('npm', args, { cwd: join(root, 'apps/demo') })
