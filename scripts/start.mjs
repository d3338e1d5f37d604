// Starts the web demo, with everything it needs installed and built.

import { run, runOrExit } from './run.mjs'

await runOrExit('npm', ['run', '--silent', 'build'])
process.exitCode = await run('node', ['apps/demo/dist/server/main.js', ...process.argv.slice(2)])
