import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { type Outcome, runInputs } from '../../lab/fuzz/run-inputs.mjs'
import { root } from '../../scripts/run.mjs'

const MB = 1024 * 1024
const table = new URL('broken-parsers.mjs', import.meta.url).href

describe('npm run fuzz', () => {
  it('finds no fault in 20,000 inputs, and reaches every place that parses', async () => {
    const json = join(await tempDir(), 'fuzz.json')
    const args = ['lab/fuzz/main.mjs', '--inputs', '20000', '--seed', '7', '--coverage', '--json', json]
    const { stdout } = spawnSync('node', args, { cwd: root, encoding: 'utf8' })
    const outcome: Outcome = JSON.parse(readFileSync(json, 'utf8'))
    expect([...outcome.crashes, ...outcome.hangs], stdout).toEqual([])
    expect(outcome.unreached).toEqual([])
    expect(Object.entries(outcome.parsers).filter(([, { taken }]) => taken === 0)).toEqual([])
    expect(outcome.heap.lastBytes - outcome.heap.firstBytes).toBeLessThan(32 * MB)
  }, 600_000)

  it.each([
    ['throws', /TypeError: of its own/],
    ['refuses', /It refuses with GONE/],
    ['rejects', /It throws string/],
    ['pollutes', /changes what all objects share/],
  ])('finds a parser that %s', async (only, fault) => {
    const { crashes, hangs } = await runInputs({ inputs: 1, seed: 1, only, table })
    expect(crashes.map((crash) => crash.fault)).toEqual([expect.stringMatching(fault)])
    expect(hangs).toEqual([])
  })

  it.each([
    ['loops', 'It does not end'],
    ['never resolves', 'It does not end'],
    ['is slow', expect.stringMatching(/^It takes \d+ ms$/)],
  ])('finds a parser that %s, and goes on', async (only, fault) => {
    const times = only === 'is slow' ? { slowMs: 200 } : { endlessMs: 1000 }
    const { crashes, hangs } = await runInputs({ inputs: 2, seed: 1, only, table, ...times })
    expect(hangs.map((hang) => [hang.input, hang.fault])).toEqual([
      [0, fault],
      [1, fault],
    ])
    expect(crashes).toEqual([])
  })

  it('sees the memory that a parser keeps', async () => {
    const { heap } = await runInputs({ inputs: 60, seed: 1, only: 'keeps', table })
    expect(heap.lastBytes - heap.firstBytes).toBeGreaterThan(32 * MB)
  })

  it('makes the same input of the same seed and number', async () => {
    const options = { seed: 5, only: 'throws', table }
    const all = await runInputs({ ...options, inputs: 20 })
    const one = await runInputs({ ...options, inputs: 1, from: 13 })
    expect(one.crashes).toEqual([all.crashes[13]])
    expect(new Set(all.crashes.map(({ preview }) => preview)).size).toBeGreaterThan(5)
  })
})
