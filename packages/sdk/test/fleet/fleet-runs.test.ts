import { createMemoryFleet } from '@sandagent/store'
import { expect, it } from 'vitest'
import { mirrorRunLog, streamFleetRun } from '../../src/fleet.ts'
import { eventsOf, noted, started } from '../support/runs.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

const textOf = async (stream: Promise<ReadableStream<Uint8Array>>): Promise<string> =>
  new Response(await stream).text()

const { signal } = new AbortController()

it('a log that was copied to the fleet is streamed as from its sandbox', async () => {
  const sandbox = await tempSandbox()
  const fleet = createMemoryFleet()
  const { runId } = await started(sandbox, { agent: 'finishes' })
  await noted(sandbox, runId)
  await mirrorRunLog(sandbox, runId, { fleet, signal })
  const events = await eventsOf(sandbox, runId)
  const streamed = (await textOf(streamFleetRun(fleet, runId))).split('\n\n').filter((text) => text !== '')
  expect(streamed.filter((text) => !text.startsWith(':'))).toEqual(events)
  const [, id] = /^id: (.*)$/m.exec(events[0] ?? '') ?? []
  const rest = await textOf(streamFleetRun(fleet, runId, { from: `${id}` }))
  expect(rest.length).toBeLessThan(streamed.join('\n\n').length)
  expect(rest).toContain('[DONE]')
})

it('a run that crashed ends so in the fleet too', async () => {
  const sandbox = await tempSandbox()
  const fleet = createMemoryFleet()
  const { runId } = await started(sandbox, { agent: 'crashes' })
  await noted(sandbox, runId)
  await mirrorRunLog(sandbox, runId, { fleet, signal })
  const events = await eventsOf(sandbox, runId)
  const streamed = (await textOf(streamFleetRun(fleet, runId))).split('\n\n')
  expect(streamed.filter((text) => text !== '' && !text.startsWith(':'))).toEqual(events)
})

it('unknown runs, and stores without logs, are refused', async () => {
  const sandbox = await tempSandbox()
  const fleet = createMemoryFleet()
  const { logs: _, ...without } = fleet
  await expect(streamFleetRun(fleet, 'r')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(mirrorRunLog(sandbox, 'r', { fleet, signal })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(streamFleetRun(without, 'r')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  const { runId } = await started(sandbox, { agent: 'finishes' })
  await noted(sandbox, runId)
  await expect(mirrorRunLog(sandbox, runId, { fleet: without, signal })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  })
  await expect(mirrorRunLog(sandbox, runId, { fleet, signal, x: 1 } as never)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  })
})
