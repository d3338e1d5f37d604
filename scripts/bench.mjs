// Runs the measurements: `npm run bench`, with their numbers in a file: `npm run bench -- --json FILE`.

import { build } from './build.mjs'
import { install } from './install.mjs'
import { run } from './run.mjs'

await install()
await build()
process.exitCode = await run('node', ['bench/dist/main.js', ...process.argv.slice(2)])
