import type { ChannelWarning } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import type { LocalSandbox } from '../../src/index.ts'
import { compareReceipts, watchOver } from '../../src/runs/watch-over.ts'
import type { ProcessEnd } from '../../src/sandbox/programs/process.ts'
import { recordedRun } from '../support/recorded-run.ts'
import { ask, LANGUAGE, picked, settle } from '../support/temp-sandbox.ts'

it('the end of a run is recorded, with its time, and its log is no longer watched', async () => {
  const { sandbox, record, paths, files } = await recordedRun()
  const clock = createFakeClock()
  let end = (_: ProcessEnd): void => {}
  const ended = new Promise<ProcessEnd>((resolve) => {
    end = resolve
  })
  const watching = watchOver(sandbox, record, ended, { clock, onError: () => {} })
  await clock.whenPending()
  expect(await files.read(paths.exit)).toBeNull()
  end({ exitCode: 3, signal: null })
  await watching
  expect(JSON.parse((await files.read(paths.exit)) ?? '')).toEqual({
    exitCode: 3,
    signal: null,
    endedAt: '2026-01-01T00:00:00.000Z',
  })
  expect(clock.pending()).toBe(0)
})

it('the end of a run that nobody has seen is not recorded, and its log is no longer watched', async () => {
  const { sandbox, record, paths, files } = await recordedRun()
  const clock = createFakeClock()
  const lost = new Error('The connection is closed')
  const ended = Promise.resolve({ exitCode: null, signal: null, error: lost })
  await expect(watchOver(sandbox, record, ended, { clock, onError: () => {} })).rejects.toBe(lost)
  expect(await files.read(paths.exit)).toBeNull()
  await vi.waitFor(() => expect(clock.pending()).toBe(0))
})

it('the end of a run that was removed is not recorded', async () => {
  const { sandbox, record, paths, files } = await recordedRun()
  await files.remove('.sandagent/runs/r')
  await watchOver(sandbox, record, Promise.resolve({ exitCode: 0, signal: null }), {
    clock: createFakeClock(),
    onError: () => {},
  })
  expect(await files.read(paths.exit)).toBeNull()
})

/** A run `r`, another run, and a receipt of an answer that nobody gave in each of them. */
async function disputed() {
  const run = await recordedRun()
  const local = run.sandbox as LocalSandbox
  for (const [id, runId] of [
    ['mine', 'r'],
    ['other', 'x'],
  ] as const) {
    await ask(local, id, [LANGUAGE], { runId })
    await settle(local, id, { state: 'answered', revision: 1, responses: { q1: picked('Python') } })
  }
  const warnings: ChannelWarning[] = []
  const options = {
    signingKeys: null,
    clock: createFakeClock(),
    onWarning: (warning: ChannelWarning) => void warnings.push(warning),
  }
  return { ...run, warnings, compare: () => compareReceipts(run.sandbox, run.record, options) }
}

it('the receipts of a run are compared with what the host stored, and no others', async () => {
  const { compare, warnings } = await disputed()
  await compare()
  expect(warnings).toMatchObject([{ code: 'DISPUTED_RECEIPT', toolCallId: 'mine' }])
})

it('the receipts of a run that was removed are not compared', async () => {
  const { compare, warnings, files } = await disputed()
  await files.remove('.sandagent/runs/r')
  await compare()
  expect(warnings).toEqual([])
})
