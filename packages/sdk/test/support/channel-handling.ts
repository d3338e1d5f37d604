import {
  AskError,
  type BoundAnswerFile,
  type HostChannel,
  type QuestionRecord,
  type QuestionState,
} from '@sandagent/core/internal'
import { createFakeClock } from '@sandagent/core/testing'
import { vi } from 'vitest'
import { channelHandlers } from '../../src/relay/channel-handlers.ts'

export const recordOf = (toolCallId: string, state = 'open'): QuestionRecord =>
  ({
    version: 1,
    toolCallId,
    toolName: 'AskUserQuestion',
    kind: 'question',
    questions: [{ id: 'a', question: 'Which?' }],
    askedAt: '2026-01-01T00:00:00.000Z',
    timeoutMs: 'never',
    deadline: null,
    nonce: 'n',
    runId: 'run-1',
    state,
  }) as QuestionRecord

export const ANSWER: BoundAnswerFile = {
  version: 1,
  toolCallId: 'q',
  nonce: 'n',
  questions: [{ id: 'a', question: 'Which?' }],
  answers: {},
  status: 'completed',
  timestamp: '2026-01-01T00:00:01.000Z',
  revision: 1,
  responses: { a: { selected: [], freeText: 'This', source: 'human' } },
}

/** The relay's handlers over this channel, in a sandbox whose run `run-1` has these keys. */
export function handling(host: Partial<HostChannel>, runKeys?: readonly string[]) {
  const clock = createFakeClock()
  const create = vi.fn((_: { publicKeys(): Promise<unknown>; clock: unknown; onWarning: unknown }) => host)
  const keysOfRun = vi.fn(async (runId: string) => (runId === 'run-1' ? runKeys : undefined))
  const sandbox = { files: { read: () => {} }, ownChannel: { create, keysOfRun } }
  const events: unknown[] = []
  const emit = async (event: unknown) => void events.push(event)
  const stop = new AbortController()
  const task = { again: false, signal: stop.signal, emit, onInput: () => {} }
  return { handlers: channelHandlers(sandbox as never, clock), task, events, create, clock, stop }
}

export const NO_KEYS = { keys: null }
export const text = (value: unknown): string => JSON.stringify(value)
export const failing = (code: 'CONFLICT' | 'UNREACHABLE' | 'INVALID_FILE') =>
  new AskError(code, `It is ${code}`)
export const at = (toolCallId: string): QuestionState => ({ toolCallId, record: recordOf(toolCallId) })
