// Measures what users feel. `lab/bench/README.md` says how.

import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { measureBeside } from './beside.ts'
import { measureCurves } from './curves/measure-curves.ts'
import { machine } from './lib/machine.ts'
import { nested } from './lib/nested.ts'
import { measureAll } from './measure-all.ts'
import { installPeers } from './peers/peers.ts'
import { addFigures, keepCurves, keepFigures, writeDrawings } from './results/results.ts'
import { scenarios } from './scenarios.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '15' },
    megabytes: { type: 'string' },
    most: { type: 'string' },
    beside: { type: 'string' },
  },
})
const { json, quick } = values
const options = {
  quick,
  minutes: Number(values.minutes),
  megabytes: Number(values.megabytes ?? (quick ? 100 : 1024)),
}

const most = Number(values.most ?? (quick ? 1000 : 100_000))
const where = `${machine()}${quick ? '; few samples, rough figures' : ''}`

const drawCurves = async (): Promise<void> =>
  keepCurves({ machine: where, curves: await measureCurves({ quick, most }) })

const commands: Readonly<Record<string, () => Promise<void>>> = {
  peers: async () => installPeers(),
  curves: drawCurves,
  draw: async () => writeDrawings(),
  async docs() {
    if (names.length > 0)
      return measureAll(names, options, async (figures) => addFigures({ machine: where, figures }))
    await measureAll([], options, async (figures) => keepFigures({ machine: where, figures }))
    await drawCurves()
  },
}

const command = commands[positionals[0] ?? '']
const names = command ? positionals.slice(1) : positionals
const unknown = names.filter((name) => !Object.hasOwn(scenarios, name))
console.log(where)
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(', ')}. There are: ${Object.keys(scenarios).join(', ')}`)
  process.exitCode = 2
} else if (command) await command()
else if (values.beside !== undefined)
  await measureBeside(values.beside, names.length > 0 ? names : Object.keys(scenarios), options)
else
  await measureAll(names, options, async (figures) => {
    if (json !== undefined) await writeFile(json, `${JSON.stringify(nested(figures), null, 2)}\n`)
  })
