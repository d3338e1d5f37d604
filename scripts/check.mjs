// Runs every "check:" script of package.json, and tells at the end which ones failed.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, runOrExit } from './run.mjs'

await runOrExit('npm', ['run', '--silent', 'build'])

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const failed = []
for (const name of Object.keys(scripts).filter((script) => script.startsWith('check:'))) {
  console.log(`\n── ${name}: ${scripts[name]}`)
  if ((await run('npm', ['run', '--silent', name])) !== 0) failed.push(name)
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.map((name) => `npm run ${name}`).join(', ')}`)
  process.exitCode = 1
}
