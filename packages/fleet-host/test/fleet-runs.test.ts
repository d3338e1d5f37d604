import type { RunLogs } from '@sandagent/core/store'
import { createMemoryFleet } from '@sandagent/fleet'
import type { StreamRunOptions } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { mirrorRunLog, streamFleetRun } from '../src/fleet-runs.ts'
import { eventsOf, noted, started, tempSandbox } from './support/runs.ts'

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

const LOG = { runId: 'r', attempt: 1 }
const START = 'data: {"type":"start"}\n\n'
const FINISH = 'data: {"type":"finish"}\n\n'
const DONE = 'data: [DONE]\n\n'

/** A log in a fleet, and what the test adds to it. */
function storedLog(texts: readonly string[], firstOffset = 0) {
  const fleet = createMemoryFleet()
  const logs = fleet.logs as RunLogs
  let offset = firstOffset
  const add = async (text: string, ended?: string): Promise<void> => {
    const bytes = Buffer.from(text)
    await logs.append(LOG, { offset, bytes, ...(ended !== undefined && { ended }) })
    offset += bytes.length
  }
  const stream = (options?: StreamRunOptions, changed: Partial<RunLogs> = {}) =>
    streamFleetRun({ ...fleet, logs: { ...logs, ...changed } }, 'r', options)
  const begun = (async () => {
    for (const text of texts) await add(text)
  })()
  return { fleet, logs, add, stream, begun }
}

const eventsIn = (text: string): string[] =>
  text.split('\n\n').filter((event) => event !== '' && !event.startsWith(':'))

it('a stream follows the log of a run to its last event', async () => {
  const { stream, add, begun } = storedLog([START.slice(0, 9), START.slice(9)])
  await begun
  const text = textOf(stream())
  await add(FINISH)
  await add(DONE)
  expect(eventsIn(await text)).toEqual([
    'id: 1-1\ndata: {"type":"start"}',
    'id: 1-2\ndata: {"type":"finish"}',
    'id: 1-3\ndata: [DONE]',
  ])
})

it('a stream ends after what is there now, without follow', async () => {
  const { stream, add, begun } = storedLog([START])
  await begun
  expect(eventsIn(await textOf(stream({ follow: false })))).toEqual(['id: 1-1\ndata: {"type":"start"}'])
  await add('', 'stopped')
  const stopped = ['id: 1-1\ndata: {"type":"start"}', 'data: {"type":"abort"}', 'data: [DONE]']
  expect(eventsIn(await textOf(stream({ follow: false })))).toEqual(stopped)
  expect(eventsIn(await textOf(stream()))).toEqual(stopped)
})

it('a stream of an earlier start ends with an error when the run has started again', async () => {
  const { stream, logs, begun } = storedLog([START])
  await begun
  const text = textOf(stream({}, { lastAttempt: async () => 1 }))
  await logs.append({ ...LOG, attempt: 2 }, { offset: 0, bytes: Buffer.from(START) })
  expect(eventsIn(await text)).toEqual([
    'id: 1-1\ndata: {"type":"start"}',
    'data: {"type":"error","errorText":"The agent ended before it was done"}',
    'data: [DONE]',
  ])
})

it('a stream breaks if the beginning of its log was removed', async () => {
  const { stream, fleet } = storedLog([])
  const bytes = Buffer.from(FINISH)
  async function* pieces() {
    yield { offset: 100, bytes }
  }
  const errors: unknown[] = []
  const options = { onError: (error: unknown) => void errors.push(error) }
  await fleet.logs?.append(LOG, { offset: 0, bytes })
  await expect(textOf(stream(options, { pieces }))).rejects.toMatchObject({ code: 'GONE' })
  expect(errors).toMatchObject([{ code: 'GONE' }])
})

it('a stream ends for its reader alone when the signal aborts, and reads no more of the log', async () => {
  const { stream, logs, begun } = storedLog([START])
  await begun
  const leaving = new AbortController()
  let signal: AbortSignal | undefined
  const pieces: RunLogs['pieces'] = (log, options) => {
    signal = options.signal
    return logs.pieces(log, options)
  }
  const text = textOf(stream({ signal: leaving.signal }, { pieces }))
  await vi.waitFor(() => expect(signal).toBeDefined())
  expect(signal?.aborted).toBe(false)
  leaving.abort()
  expect(eventsIn(await text).join('\n')).not.toContain('[DONE]')
  expect(signal?.aborted).toBe(true)
})
