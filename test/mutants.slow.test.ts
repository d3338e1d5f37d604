import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createTester } from '../lab/mutants/tester.mjs'
import { copyWorkspace } from '../lab/mutants/workspace-copy.mjs'
import { root } from '../scripts/run.mjs'
import { repeats } from './support/repeats.ts'

const SAMPLE = repeats(30, 120)
/** What hangs is killed: nothing else of this process runs meanwhile. */
const LIMIT_MS = SAMPLE * 40_000

it('the tests notice at least seven of ten breaks of the sources', {
  timeout: 2 * LIMIT_MS,
  retry: 0,
}, async () => {
  const json = join(await tempDir(), 'mutants.json')
  const args = ['lab/mutants/main.mjs', '--sample', `${SAMPLE}`, '--seed', '1', '--json', json]
  const { stdout, stderr } = spawnSync('node', args, { cwd: root, encoding: 'utf8', timeout: LIMIT_MS })
  console.log(stdout)
  expect(stderr).toBe('')
  const figures = JSON.parse(readFileSync(json, 'utf8'))
  expect(figures.sample).toBe(SAMPLE)
  // About 25 can be found, so the share varies by chance: larger samples are for the long run.
  // The compiler refuses some. Few test files may be left out: otherwise the share says little.
  expect(figures.found).toBeGreaterThan(SAMPLE / 2)
  expect(figures.share).toBeGreaterThanOrEqual(0.7)
})

it('a source that is whole again is whole for the next test', { timeout: 600_000 }, async () => {
  const copy = await copyWorkspace(root)
  const tester = createTester(copy.root, copy.temporary, new Map())
  onTestFinished(() => {
    tester.close()
    copy.remove()
  })
  const [path, test] = ['packages/sdk/src/http/rate-limit.ts', 'packages/sdk/test/http/rate-limit.test.ts']
  const source = readFileSync(join(copy.root, path), 'utf8')
  writeFileSync(join(copy.root, path), source.replace('BURST = 60', 'BURST = 6'))
  expect(await tester.run(test, [path])).toBe('failed')
  writeFileSync(join(copy.root, path), source)
  expect(await tester.run(test, ['packages/sdk/src/http/origin-check.ts'])).toBe('passed')
})
