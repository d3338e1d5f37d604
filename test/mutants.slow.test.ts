import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { root } from '../scripts/run.mjs'
import { repeats } from './support/repeats.ts'

const SAMPLE = repeats(30, 120)

it('the tests notice at least seven of ten breaks of the sources', { timeout: 3_600_000 }, async () => {
  const json = join(await tempDir(), 'mutants.json')
  const args = ['scripts/mutants/main.mjs', '--sample', `${SAMPLE}`, '--seed', '1', '--json', json]
  const { stdout, stderr } = spawnSync('node', args, { cwd: root, encoding: 'utf8' })
  console.log(stdout)
  expect(stderr).toBe('')
  const figures = JSON.parse(readFileSync(json, 'utf8'))
  expect(figures.sample).toBe(SAMPLE)
  // About 25 can be found, so the share varies by chance: larger samples are for the long run.
  // The compiler refuses some. Few test files may be left out: otherwise the share says little.
  expect(figures.found).toBeGreaterThan(SAMPLE / 2)
  expect(figures.share).toBeGreaterThanOrEqual(0.7)
})
