import { expect, it } from 'vitest'
import { listRuns, pruneRuns } from '../../src/index.ts'
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
