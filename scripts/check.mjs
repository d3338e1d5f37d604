// Checks everything but behaviour: format, lint, package boundaries, types, what the packages ship, unused code, size.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { install } from './install.mjs'
import { root, run } from './run.mjs'

await install()
await build()

/** @type {[title: string, command: string, ...args: string[]][]} */
const checks = [
  ['format, lint and package boundaries', 'biome', 'check', '--error-on-warnings'],
  ['unused files, exports and dependencies', 'knip'],
  ['size', 'size-limit'],
]
for (const { name, folder } of publishedPackages()) {
  checks.push([`what ${name} ships`, 'publint', 'run', folder, '--strict'])
  checks.push([`how ${name} resolves`, 'attw', '--pack', folder, '--profile', 'esm-only'])
}

const failed = []
for (const [title, command, ...args] of checks) {
  console.log(`\n── ${title}`)
  if ((await run(command, args)) !== 0) failed.push(title)
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join('; ')}`)
  process.exitCode = 1
}

function publishedPackages() {
  return readdirSync(join(root, 'packages')).map((name) => {
    const folder = join('packages', name)
    return { folder, ...JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) }
  })
}
