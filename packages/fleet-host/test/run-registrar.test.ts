import type { QuestionRecord } from '@sandagent/core'
import { createMemoryFleet } from '@sandagent/fleet'
import { recordOwnRun } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { runRegistrar } from '../src/run-registrar.ts'
import { tempSandbox } from './support/runs.ts'

const ASKED_AT = '2026-01-01T00:00:00.000Z'
const record = (more: object = {}): QuestionRecord =>
  ({ toolCallId: 'q', runId: 'r', nonce: 'n', askedAt: ASKED_AT, state: 'open', ...more }) as QuestionRecord

async function registering() {
  const sandbox = await tempSandbox()
  const fleet = createMemoryFleet()
  const { runs } = fleet
  const clock = createFakeClock('2026-01-02T00:00:00.000Z')
  const [put, end, find] = [vi.spyOn(runs, 'put'), vi.spyOn(runs, 'end'), vi.spyOn(runs, 'find')]
  const enter = runRegistrar(sandbox, fleet, 'mine', { clock })
  const counts = () => [put.mock.calls.length, end.mock.calls.length]
  return { sandbox, runs, enter, find, counts, clock }
}

it('a run that nobody knows is entered once, with the time of its question', async () => {
  const { enter, runs, find, counts } = await registering()
  await enter(record(), false)
  expect(await runs.find('mine/r')).toEqual({
    runId: 'mine/r',
    namespace: 'mine',
    startedAt: ASKED_AT,
    metadata: {},
  })
  find.mockClear()
  await enter(record(), false)
  expect([counts(), find.mock.calls.length]).toEqual([[1, 0], 0])
  await enter(record({ nonce: 'again' }), false)
  expect([counts(), find.mock.calls.length]).toEqual([[1, 0], 1])
})

it('a question that was settled is forgotten, and enters nothing', async () => {
  const { enter, find, counts } = await registering()
  await enter(record({ state: 'answered' }), false)
  expect(counts()).toEqual([0, 0])
  await enter(record(), false)
  await enter(record({ state: 'answered' }), false)
  find.mockClear()
  await enter(record(), false)
  expect(find).toHaveBeenCalledOnce()
})

it('a run ends once, and goes on when it was started again', async () => {
  const { enter, runs, counts, clock } = await registering()
  await enter(record(), true)
  expect(await runs.find('mine/r')).toMatchObject({ endedAt: new Date(clock.now()).toISOString() })
  await enter(record({ nonce: 'other' }), true)
  expect(counts()).toEqual([1, 1])
  await enter(record(), false)
  expect(await runs.find('mine/r')).not.toHaveProperty('endedAt')
  await enter(record(), true)
  expect(await runs.find('mine/r')).toHaveProperty('endedAt')
})

it('a run keeps its keys and its owner, which its host alone can enter', async () => {
  const { enter, runs, sandbox, counts } = await registering()
  const known = { runId: 'mine/r', namespace: 'mine', startedAt: ASKED_AT, metadata: { a: 'b' } }
  await runs.put({ ...known, publicKeyIds: ['k'], owner: 'ada' })
  await enter(record(), false)
  expect(counts()).toEqual([1, 0])
  await recordOwnRun(sandbox, { runId: 's', agent: 'a', args: [], prompt: '', owner: 'bo' }, {})
  await enter(record({ runId: 's' }), false)
  expect(await runs.find('mine/s')).toMatchObject({ owner: 'bo', namespace: 'mine' })
  await runs.put({ ...known, runId: 'mine/s' })
  await enter(record({ runId: 's', nonce: 'later' }), false)
  expect(await runs.find('mine/s')).toMatchObject({ owner: 'bo', metadata: { a: 'b' } })
  expect(await runs.find('mine/r')).toMatchObject({ publicKeyIds: ['k'], owner: 'ada' })
})
