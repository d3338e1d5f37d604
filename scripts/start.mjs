// Starts the web demo, with everything it needs installed and built.

import { run, runOrExit } from './run.mjs'

await runOrExit('node', ['scripts/install.mjs', '--for-demo'])
await runOrExit('node', ['scripts/build.mjs'])
process.exitCode = await run('node', ['apps/demo/dist/server/main.js', ...process.argv.slice(2)])
