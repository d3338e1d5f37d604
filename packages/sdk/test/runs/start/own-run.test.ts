import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { listRuns, readRun, recordOwnRun, stopRun, streamRun } from '../../../src/index.ts'
import { tempSandbox } from '../../support/temp-sandbox.ts'

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

it('the log of a run of this process takes 64 MiB, and leaves out what is beyond', async () => {
  const sandbox = await tempSandbox()
  const log = await recordOwnRun(sandbox, request)
  const most = 64 * 1024 * 1024
  await log.write('x'.repeat(most - 2))
  await log.write('é')
  await log.write('y')
  await log.close()
  const path = '.sandagent/runs/r/1/stream.sse'
  expect(await sandbox.files.stat(path)).toMatchObject({ size: most })
  expect(Buffer.from((await sandbox.files.readFrom(path, most - 3)) ?? '').toString()).toBe('xé')
})

it('a run of this process has ended once its log is closed, and this process is not stopped for it', async () => {
  const sandbox = await tempSandbox()
  const clock = createFakeClock()
  const interrupt = vi.spyOn(sandbox.detached, 'interrupt').mockResolvedValue()
  const kill = vi.spyOn(sandbox.detached, 'kill').mockResolvedValue()
  const log = await recordOwnRun(sandbox, request, { clock })
  await log.write('data: {"type":"start"}\n\n')
  clock.advance(1000)
  await log.close()
  const endedAt = new Date(clock.now()).toISOString()
  expect(await readRun(sandbox, 'r')).toMatchObject({ state: 'crashed', endedAt })
  expect(await new Response(await streamRun(sandbox, 'r')).text()).toContain('[DONE]')
  expect(await stopRun(sandbox, 'r')).toMatchObject({ state: 'stopped', endedAt })

  const again = await recordOwnRun(sandbox, request, { clock })
  await again.write('data: {"type":"finish"}\n\ndata: [DONE]\n\n')
  await again.close()
  expect(await stopRun(sandbox, 'r')).toMatchObject({ attempt: 2, state: 'finished', endedAt })
  expect([interrupt.mock.calls, kill.mock.calls]).toEqual([[], []])
})

it('a run of this process that ends while it is stopped does not cost the process its life', async () => {
  const sandbox = await tempSandbox()
  const kill = vi.spyOn(sandbox.detached, 'kill').mockResolvedValue()
  const log = await recordOwnRun(sandbox, request)
  vi.spyOn(sandbox.detached, 'interrupt').mockImplementation(() => log.close())
  expect(await stopRun(sandbox, 'r', { graceMs: 0 })).toMatchObject({ state: 'stopped' })
  expect(kill).not.toHaveBeenCalled()
})

it('a run of this process whose log cannot be made has not begun, and can be started again', async () => {
  const sandbox = await tempSandbox()
  const { writeAtomic } = sandbox.files
  const writing = vi.spyOn(sandbox.files, 'writeAtomic').mockImplementation(async (path, ...given) => {
    await writeAtomic(path, ...given)
    // A folder takes the place of the log.
    if (path.endsWith('run.json')) await mkdir(join(sandbox.workdir, path, '../stream.sse'))
  })
  await expect(recordOwnRun(sandbox, request)).rejects.toThrow()
  expect(await readRun(sandbox, 'r')).toBeNull()
  writing.mockRestore()
  await (await recordOwnRun(sandbox, request)).close()
  expect(await readRun(sandbox, 'r')).toMatchObject({ attempt: 2 })
})

it('a page that reads a run of this process sees its end, although the process goes on', async () => {
  const sandbox = await tempSandbox()
  const log = await recordOwnRun(sandbox, request)
  await log.write('data: {"type":"start"}\n\n')
  const read = new Response(await streamRun(sandbox, 'r')).text()
  await log.close()
  expect(await read).toContain('The agent ended before it was done')
})

it('a run of this process that was removed stays away when its log is closed', async () => {
  const sandbox = await tempSandbox()
  const log = await recordOwnRun(sandbox, request)
  await sandbox.files.remove('.sandagent/runs/r')
  await log.close()
  expect(await readRun(sandbox, 'r')).toBeNull()
})
