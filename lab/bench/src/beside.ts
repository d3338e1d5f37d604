import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scenarios } from './scenarios.ts'

/** How often each side measures each scenario. Medians of so many runs are compared. */
const ROUNDS = 3

const HERE = fileURLToPath(new URL('main.js', import.meta.url))

/**
 * Measures scenarios in this checkout and in another one that is built, in turns, and prints the medians and their ratios.
 *
 * @param folder the other checkout
 */
export async function measureBeside(
  folder: string,
  names: readonly string[],
  { quick }: { quick: boolean },
): Promise<void> {
  const there = ['lab/bench', 'bench'].map((place) => join(folder, place, 'dist/main.js')).find(existsSync)
  if (!there) throw new Error(`There is no built bench in ${folder}. Run npm run build there`)
  for (const name of names) {
    const sides = { here: [] as Figures[], there: [] as Figures[] }
    for (let round = 0; round < ROUNDS; round++) {
      sides.there.push(await figuresOf(there, name, quick))
      sides.here.push(await figuresOf(HERE, name, quick))
    }
    console.log(`\n${name}: there, here, and here for each of there`)
    for (const key of Object.keys(scenarios[name]?.keys ?? {})) {
      const [before, now] = [sides.there, sides.here].map((side) => medianOf(side.map((each) => each[key])))
      if (before === null || before === undefined || now === null || now === undefined) continue
      console.log(`  ${key}: ${rounded(before)}, ${rounded(now)}, ${rounded(now / before)}`)
    }
  }
}

type Figures = Readonly<Record<string, number | null>>

async function figuresOf(program: string, name: string, quick: boolean): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-beside-'))
  try {
    const path = join(folder, 'figures.json')
    const args = [program, name, '--json', path, ...(quick ? ['--quick'] : [])]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = await once(child, 'exit')
    if (code !== 0) console.error(`${program} ${name} ended with ${code}`)
    return flat(JSON.parse(await readFile(path, 'utf8'))[name] ?? {})
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** `p50Ms` of the object `100` is `100.p50Ms`, as scenarios name their keys. */
function flat(figures: object, prefix = ''): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flat(value, `${prefix}${key}.`))
        : [[prefix + key, value as number | null]],
    ),
  )
}

function medianOf(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === 'number').sort((a, b) => a - b)
  return known[Math.floor(known.length / 2)] ?? null
}

const rounded = (value: number): string => value.toPrecision(3)
