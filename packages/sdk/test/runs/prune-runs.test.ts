import { createFakeClock } from '@sandagent/core/testing'
import { expect, it } from 'vitest'
import { listRuns, pruneRuns } from '../../src/index.ts'
import { recordedRun } from '../support/recorded-run.ts'
import { noted, started } from '../support/runs.ts'
import { ask, tempSandbox } from '../support/temp-sandbox.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const inDays = (days: number) => ({ now: () => Date.now() + days * DAY_MS, after: () => () => {} })

it('removes the runs that ended long ago, and nothing else', async () => {
  const sandbox = await tempSandbox()
  await started(sandbox, { agent: 'finishes', runId: 'old' })
  await started(sandbox, { agent: 'crashes', runId: 'crashed' })
  await started(sandbox, { agent: 'waits', runId: 'live' })
  for (const runId of ['old', 'crashed']) await noted(sandbox, runId)
  await ask(sandbox, 'toolu_1')

  expect(await pruneRuns(sandbox, { clock: inDays(6) })).toEqual([])
  expect(await pruneRuns(sandbox, { clock: inDays(2), olderThanMs: 3 * DAY_MS })).toEqual([])
  expect((await pruneRuns(sandbox, { clock: inDays(8) })).sort()).toEqual(['crashed', 'old'])
  expect((await listRuns(sandbox)).map(({ runId }) => runId)).toEqual(['live'])
  expect(await sandbox.files.list('.sandagent/runs')).toEqual(['live'])
  expect(await sandbox.files.list('.sandagent/questions')).toEqual(['toolu_1.json'])
})

it('a run is removed when it ended longer ago than the time given, and no earlier', async () => {
  const { sandbox, files, paths, end } = await recordedRun()
  end()
  await files.writeAtomic(
    paths.exit,
    JSON.stringify({ exitCode: 0, signal: null, endedAt: '2026-01-01T00:00:00.000Z' }),
  )
  const clock = createFakeClock('2026-01-01T00:00:01Z')
  expect(await pruneRuns(sandbox, { clock, olderThanMs: 1000 })).toEqual([])
  clock.advance(1)
  expect(await pruneRuns(sandbox, { clock, olderThanMs: 1000 })).toEqual(['r'])
})

it('a run whose record is damaged is removed, too, with a warning', async () => {
  const { sandbox, files, paths } = await recordedRun()
  await files.writeAtomic(paths.record, 'garbage')
  const warnings: string[] = []
  const options = { clock: inDays(8), onWarning: ({ code }: { code: string }) => void warnings.push(code) }
  expect(await pruneRuns(sandbox, options)).toEqual(['r'])
  expect(warnings).toEqual(['INVALID_FILE'])
})
