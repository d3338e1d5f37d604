// Formats every file and applies the linter's safe fixes.

import { install } from './install.mjs'
import { run } from './run.mjs'

await install()
process.exitCode = await run('biome', ['check', '--write', ...process.argv.slice(2)])
