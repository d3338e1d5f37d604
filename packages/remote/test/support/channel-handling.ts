import { AskError, type HostChannel } from '@sandagent/core/internal'
import type { HostOptions } from '@sandagent/sdk/internal'
import { createFakeClock } from '@sandagent/testing'
import { vi } from 'vitest'
import { channelHandlers } from '../../src/relay/channel-handlers.ts'

/** The relay's handlers over this channel, in a sandbox whose run `run-1` has these keys. */
export function handling(host: Partial<HostChannel>, runKeys?: readonly string[]) {
  const clock = createFakeClock()
  const create = vi.fn((_sandbox: unknown, _: HostOptions) => host)
  const keysOfRun = vi.fn(async (runId: string) => (runId === 'run-1' ? runKeys : undefined))
  const sandbox = { runs: { keyIds: keysOfRun } }
  const events: unknown[] = []
  const emit = async (event: unknown) => void events.push(event)
  const stop = new AbortController()
  const task = { again: false, signal: stop.signal, emit, onInput: () => {} }
  return {
    handlers: channelHandlers(sandbox as never, clock, create as never),
    task,
    events,
    create,
    clock,
    stop,
  }
}

export const NO_KEYS = { keys: null }
export const text = (value: unknown): string => JSON.stringify(value)
export const failing = (code: 'CONFLICT' | 'UNREACHABLE' | 'INVALID_FILE') =>
  new AskError(code, `It is ${code}`)

export { ANSWER, at, recordOf } from '@sandagent/fixtures/records/sample-records.ts'
