import { createFakeClock } from '@sandagent/core/testing'
import { expect, it } from 'vitest'
import { listRuns, readRun, recordOwnRun } from '../../src/index.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

const request = { runId: 'r', agent: 'command', args: ['-v'], prompt: 'Build', owner: 'ada' }

it('a run of this process is listed while it goes on, with its log, and cannot be started twice', async () => {
  const sandbox = await tempSandbox()
  const clock = createFakeClock()
  const log = await recordOwnRun(sandbox, request, { clock })
  const startedAt = new Date(clock.now()).toISOString()
  const run = { ...request, attempt: 1, state: 'running', startedAt, metadata: {} }
  expect(await readRun(sandbox, 'r')).toMatchObject(run)
  expect(await listRuns(sandbox)).toMatchObject([run])
  await expect(recordOwnRun(sandbox, request)).rejects.toMatchObject({ code: 'CONFLICT' })
  await log.write('data: {"type":"start"}\n\n')
  await log.close()
  expect(await sandbox.files.read('.sandagent/runs/r/1/stream.sse')).toBe('data: {"type":"start"}\n\n')
})
