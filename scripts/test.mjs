// Runs the tests: `npm test`, or a part of them: `npm test -- packages/core`. Arguments go to Vitest.

import { build } from './build.mjs'
import { install } from './install.mjs'
import { run } from './run.mjs'
import { ensureSystemParts } from './system-parts.mjs'

await install()
const complete = await ensureSystemParts()
const required = Boolean(process.env.CI ?? process.env.SANDAGENT_REQUIRE_PARTS)
if (required && !complete) process.exit(1)
await build()
process.exitCode = await run('vitest', ['run', ...process.argv.slice(2)])
