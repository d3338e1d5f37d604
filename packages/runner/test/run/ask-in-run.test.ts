import type { ChannelWarning } from '@sandagent/core'
import { expect, it, vi } from 'vitest'
import { askInRun } from '../../src/run/ask-in-run.ts'
import { createRun } from '../agent-run.ts'
import { typed } from '../workspace.ts'

const request = { toolCallId: 'call_1', questions: [{ id: 'q1', question: 'Which?', allowFreeText: true }] }

it('a question of an agent has the limits and the warnings of its run', async () => {
  const warnings: ChannelWarning[] = []
  const { run, space } = await createRun({
    timeoutMs: 3_600_000,
    onWarning: (warning) => void warnings.push(warning),
  })
  await space.respond('call_1', {}, { status: 'pending', nonce: 'another question' })
  const outcome = askInRun(run, request as Parameters<typeof askInRun>[1], {})
  await vi.waitFor(() => expect(warnings).toMatchObject([{ code: 'CONFLICT', toolCallId: 'call_1' }]))
  expect(await space.record('call_1')).toMatchObject({ runId: 'run_1', timeoutMs: 3_600_000 })
  await space.respond('call_1', { q1: typed('This') })
  expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: { freeText: 'This' } } })
})

it('a question of an agent ends with its run', async () => {
  const stop = new AbortController()
  const { run, space } = await createRun({ signal: stop.signal })
  const outcome = askInRun(run, request as Parameters<typeof askInRun>[1], {})
  await vi.waitFor(async () => expect(await space.record('call_1')).toMatchObject({ state: 'open' }))
  stop.abort()
  expect(await outcome).toMatchObject({ kind: 'aborted' })
})
