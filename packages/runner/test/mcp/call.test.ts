import type { ServerContext } from '@modelcontextprotocol/server'
import { createFakeClock } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { settingsOf, signalOf } from '../../src/mcp/call.ts'

it('the settings of a call are the options, and defaults for the others', () => {
  const { clock, runId, ...settings } = settingsOf({})
  expect(settings).toEqual({ timeoutMs: 'never', progressMs: 5000 })
  expect(clock.now()).toBeGreaterThan(0)
  expect(runId).not.toBe(settingsOf({}).runId)
  const given = {
    timeoutMs: 'never',
    progressMs: 1,
    place: 'the chat',
    runId: 'run_1',
    timeoutPolicy: 'decline',
    clock: createFakeClock(),
    onWarning: () => {},
  } as const
  expect(settingsOf(given)).toEqual(given)
})

const contextOf = (call: AbortSignal, connection?: AbortSignal) =>
  ({
    mcpReq: { signal: call },
    ...(connection && { http: { req: { signal: connection } } }),
  }) as unknown as ServerContext

it('a call ends when its client cancels it, or loses its connection', () => {
  const [call, connection] = [new AbortController(), new AbortController()]
  const both = () => signalOf(contextOf(call.signal, connection.signal))
  expect(both().aborted).toBe(false)
  connection.abort()
  expect(both().aborted).toBe(true)
  expect(signalOf(contextOf(call.signal)).aborted).toBe(false)
  call.abort()
  expect(signalOf(contextOf(call.signal)).aborted).toBe(true)
  expect(signalOf(contextOf(call.signal, new AbortController().signal)).aborted).toBe(true)
})
