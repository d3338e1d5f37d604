// `npm run torture`: breaks the processes of the product, and checks that no answer is lost, doubled or misreported.

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { BREAK_NAMES, type BreakName } from './broken.ts'
import { torture } from './torture.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    json: { type: 'string' },
    break: { type: 'string' },
  },
})

const minutes = Number(values.minutes)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const breakName = values.break as BreakName | undefined
if (!(minutes > 0) || !Number.isInteger(seed)) exit('--minutes takes a number, --seed a whole number')
if (breakName && !BREAK_NAMES.includes(breakName)) exit(`--break takes one of ${BREAK_NAMES.join(', ')}`)

// Without this, parts that are stopped at that moment and the small disk would be left.
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

console.log(`Seed ${seed}`)
const { figures, violations } = await torture({
  minutes,
  seed,
  breakName,
  isOverAtViolation: breakName !== undefined,
  signal: stop.signal,
  onProgress: (now) => console.log(JSON.stringify(now)),
})
for (const { kind, what } of violations.slice(0, 50)) console.log(`${kind}: ${what}`)
console.log(JSON.stringify(figures))
if (values.json) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`)
process.exitCode = violations.length > 0 ? 1 : 0

function exit(message: string): never {
  console.error(message)
  process.exit(2)
}
