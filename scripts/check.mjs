// Runs every "check:" script of package.json, and tells at the end which ones failed. With --figures it prints how large the
// product is instead.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, runOrExit } from './run.mjs'

await runOrExit('npm', ['run', '--silent', 'build'])
if (process.argv.includes('--figures')) {
  await import('./figures/main.mjs')
  process.exit()
}

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
