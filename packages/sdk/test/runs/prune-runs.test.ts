import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { listRuns, pruneRuns, stopRun } from '../../src/index.ts'
import { attemptPaths } from '../../src/run-records/run-paths.ts'
import { claimNext, claimStart } from '../../src/runs/claim-start.ts'
import { recordedRun } from '../support/recorded-run.ts'
import { noted, started } from '../support/runs.ts'
import { ask, refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

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

it('what a first start has left that was prevented, or whose host was killed, is removed when it is old', async () => {
  const sandbox = await tempSandbox()
  const { files } = sandbox
  for (const runId of ['prevented', 'killed'])
    (await claimNext(sandbox, runId, 0, createFakeClock())).release()
  expect(await refusalOf(stopRun(sandbox, 'prevented'))).toMatchObject({ code: 'NOT_FOUND' })
  await claimNext(sandbox, 'begins', 0, createFakeClock())
  expect(await pruneRuns(sandbox, { clock: inDays(6) })).toEqual([])
  expect((await files.list('.sandagent/runs')).sort()).toEqual(['begins', 'killed', 'prevented'])
  expect(await pruneRuns(sandbox, { clock: inDays(8) })).toEqual([])
  expect(await files.list('.sandagent/runs')).toEqual(['begins'])
})

it('a run that somebody starts again meanwhile is left alone', async () => {
  const { sandbox, files, end } = await recordedRun()
  end()
  await claimNext(sandbox, 'r', 1, createFakeClock())
  expect(await pruneRuns(sandbox, { clock: inDays(8) })).toEqual([])
  expect((await files.list('.sandagent/runs/r')).sort()).toEqual(['1', '2.json'])
})

it('a run that was started again, and has ended since, is left alone', async () => {
  const { sandbox, files, record, end } = await recordedRun()
  end()
  const next = attemptPaths(sandbox, 'r', 2)
  const { list } = files
  // The runs are listed, and then the starts of each.
  const lists = vi.spyOn(files, 'list').mockImplementation(async (folder) => {
    if (lists.mock.calls.length === 3) {
      await files.writeAtomic(next.claim, '{}')
      await files.writeAtomic(next.record, JSON.stringify({ ...record, attempt: 2 }))
    }
    return list(folder)
  })
  expect(await pruneRuns(sandbox, { clock: inDays(8) })).toEqual([])
  expect(await list('.sandagent/runs/r')).toContain('2')
})

it('nobody starts a run while it is removed', async () => {
  const { sandbox, files, end } = await recordedRun()
  end()
  const { remove } = files
  const started: unknown[] = []
  vi.spyOn(files, 'remove').mockImplementation(async (path) => {
    started.push(await refusalOf(claimStart(sandbox, 'r', createFakeClock())))
    await remove(path)
  })
  expect(await pruneRuns(sandbox, { clock: inDays(8) })).toEqual(['r'])
  expect(started).toMatchObject([{ code: 'CONFLICT' }])
  expect(await files.list('.sandagent/runs')).toEqual([])
})
