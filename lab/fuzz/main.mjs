// `npm run fuzz`: gives every parser of the packages generated inputs, and shows the inputs that break one.

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { textOf } from './report.mjs'
import { runInputs } from './run-inputs.mjs'

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '0' },
    at: { type: 'string' },
    json: { type: 'string' },
    coverage: { type: 'boolean', default: false },
  },
})

const { only, coverage } = values
const [inputs, seed, from] = [
  values.at === undefined ? values.inputs : '1',
  values.seed,
  values.at ?? values.from,
].map(Number)
if (![inputs, seed, from].every((number) => Number.isInteger(number) && Number(number) >= 0)) {
  console.error('--inputs, --seed, --from and --at take whole numbers')
  process.exit(2)
}
const isShown = process.stdout.isTTY
const outcome = await runInputs({
  inputs: Number(inputs),
  seed: Number(seed),
  from: Number(from),
  only,
  coverage,
  onProgress: (done) => isShown && process.stdout.write(`\r${done} of ${inputs}`),
})
console.log(`${isShown ? '\r' : ''}${textOf(outcome, only)}`)
if (values.json) writeFileSync(values.json, `${JSON.stringify(outcome, null, 2)}\n`)
if (outcome.crashes.length + outcome.hangs.length + (outcome.unreached ?? []).length > 0) process.exitCode = 1
