// Measures what users feel. `bench/README.md` says how.

import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { machine } from './lib/machine.ts'
import { measureApart } from './lib/measure-apart.ts'
import { nested } from './lib/nested.ts'
import { printScenario } from './lib/print-scenario.ts'
import type { Figures, Scenario } from './lib/scenario.ts'
import { installPeers } from './peers/peers.ts'
import { scenarios } from './scenarios.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
    megabytes: { type: 'string' },
  },
})

if (positionals[0] === 'peers') {
  installPeers()
  process.exit()
}
const unknown = positionals.filter((name) => !Object.hasOwn(scenarios, name))
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(', ')}. There are: ${Object.keys(scenarios).join(', ')}`)
  process.exit(2)
}
const isChosen = ([name, { byNameOnly }]: [string, Scenario]): boolean =>
  positionals.length > 0 ? positionals.includes(name) : !byNameOnly

const { quick } = values
const options = {
  quick,
  minutes: Number(values.minutes),
  megabytes: Number(values.megabytes ?? (quick ? 100 : 1024)),
}
console.log(`${machine()}${quick ? '; quick: few samples, rough figures' : ''}`)

const all: Record<string, object> = {}
for (const [name, scenario] of Object.entries(scenarios).filter(isChosen)) {
  const figures = await measured(name)
  if (figures === null) continue
  printScenario(name, scenario, figures)
  all[name] = nested(figures)
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(all, null, 2)}\n`)
}

async function measured(name: string): Promise<Figures | null> {
  try {
    const figures = await measureApart(name, options)
    if (figures === null) console.log(`\n${name}: this machine cannot measure it`)
    return figures
  } catch (error) {
    console.error(`\n${name}: failed: ${(error as Error).message}`)
    process.exitCode = 1
    return null
  }
}
