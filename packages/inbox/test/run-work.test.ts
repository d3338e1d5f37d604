import type { SandboxLogs } from '@sandagent/sdk/internal'
import { createMemoryChannel } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import type { InboxSandbox } from '../src/inbox-sandbox.ts'
import { lastWork, NO_WORK, type RunWork } from '../src/run-work.ts'

type Chunk = Record<string, unknown>

const textOf = (chunks: readonly (Chunk | string)[]): string =>
  chunks.map((chunk) => (typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}\n\n`)).join('')

const entryWith = (logs?: Partial<SandboxLogs>): InboxSandbox => ({
  id: 'one',
  name: 'The one',
  sandbox: { ...createMemoryChannel().sandbox, logs: logs as SandboxLogs | undefined },
})

/** What a run with this log did. */
const workOf = (chunks: readonly (Chunk | string)[], limit = 1000): Promise<RunWork> =>
  lastWork(
    entryWith({ lastAttempt: async () => 1, tail: async () => Buffer.from(textOf(chunks)) }),
    'run-1',
    limit,
  )

const said = (id: string, delta: unknown): Chunk => ({ type: 'text-delta', id, delta })
const called = (toolCallId: string, input: unknown, toolName: unknown = 'Bash'): Chunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName,
  input,
})
const done = (toolCallId: string, output?: unknown): Chunk => ({
  type: 'tool-output-available',
  toolCallId,
  output,
})
const failed = (toolCallId: string, errorText?: unknown): Chunk => ({
  type: 'tool-output-error',
  toolCallId,
  errorText,
})
const edit = (toolCallId: string, path: string, after: string, before = ''): Chunk[] => [
  called(toolCallId, { file_path: path, old_string: before, new_string: after }, 'Edit'),
  done(toolCallId),
]

describe('the log of a run', () => {
  it('is read from the end of its last start', async () => {
    const tail = vi.fn(async () => Buffer.from(textOf([said('1', 'Hi')])))
    const lastAttempt = vi.fn(async () => 3)
    const { messages } = await lastWork(entryWith({ lastAttempt, tail }), 'run-1', 5)
    expect(messages).toEqual([{ kind: 'text', text: 'Hi' }])
    expect(lastAttempt.mock.calls).toEqual([['run-1']])
    expect(tail.mock.calls).toEqual([[{ runId: 'run-1', attempt: 3 }, 256 * 1024]])
  })

  it('tells nothing if there is none', async () => {
    expect(NO_WORK).toEqual({ messages: [], edits: [] })
    expect(await lastWork(entryWith(), 'run-1', 5)).toEqual(NO_WORK)
    const tail = vi.fn(async () => null)
    expect(await lastWork(entryWith({ lastAttempt: async () => null, tail } as object), 'run-1', 5)).toEqual(
      NO_WORK,
    )
    expect(tail).not.toHaveBeenCalled()
    expect(await lastWork(entryWith({ lastAttempt: async () => 1, tail } as object), 'run-1', 5)).toEqual(
      NO_WORK,
    )
  })
})

describe('the messages of a run', () => {
  it('are its texts, each from all of its pieces until its end', async () => {
    const { messages } = await workOf([
      said('1', 'I '),
      said('2', 'You '),
      said('1', 'look.'),
      said('2', 'wait.'),
      { type: 'text-end', id: '1' },
      said('1', 'Again.'),
      said('3', 7),
      said('4', ' \n'),
      { type: 'reasoning-delta', id: '5', delta: 'Hm' },
    ])
    expect(messages).toEqual([
      { kind: 'text', text: 'I look.' },
      { kind: 'text', text: 'You wait.' },
      { kind: 'text', text: 'Again.' },
    ])
  })

  it('are its tool calls, and how they ended', async () => {
    const { messages } = await workOf([
      called('a', { command: 'ls' }),
      called('b', 'text'),
      called('c', null),
      called('d', 1),
      done('a', 'README.md'),
      failed('b', 'No room'),
      done('c', { exitCode: 0 }),
    ])
    const tool = { kind: 'tool', toolName: 'Bash' }
    expect(messages).toEqual([
      { ...tool, toolCallId: 'a', state: 'done', input: { command: 'ls' }, output: 'README.md' },
      { ...tool, toolCallId: 'b', state: 'failed', input: 'text', output: 'No room' },
      { ...tool, toolCallId: 'c', state: 'done', input: null, output: '{"exitCode":0}' },
      { ...tool, toolCallId: 'd', state: 'called', input: 1 },
    ])
  })

  it('leave out calls without a name, ends without a call, and what is no chunk', async () => {
    const { messages, edits } = await workOf([
      called('a', 1, null),
      done('a', 'x'),
      done('unknown', 'x'),
      failed('unknown', 'x'),
      'data: [DONE]\n\n',
      'Warning: none\n\n',
      'data: {"type":"text-delta","id":"1","delta":"cut',
    ])
    expect({ messages, edits }).toEqual(NO_WORK)
  })

  it.each<{ id: unknown }>([{ toString: 1 }, { toJSON: 1 }, [], 7, null, true].map((id) => ({ id })))(
    'pass over a call with $id, which is no text',
    async ({ id }) => {
      const { messages, edits } = await workOf([
        called(id as string, { file_path: 'a', content: 'b' }, 'Write'),
        done(id as string, { toString: 1 }),
        failed(id as string, 'x'),
        called('a', 1),
      ])
      expect({ messages, edits }).toMatchObject({ messages: [{ toolCallId: 'a' }], edits: [] })
    },
  )

  it('are as many as wanted, the last ones', async () => {
    const chunks = ['1', '2', '3'].map((id) => said(id, `Text ${id}`))
    expect((await workOf(chunks, 2)).messages).toEqual([
      { kind: 'text', text: 'Text 2' },
      { kind: 'text', text: 'Text 3' },
    ])
  })

  it('have the last 4000 characters of a text, and the first 1000 of an output', async () => {
    const { messages } = await workOf([
      said('1', `a${'b'.repeat(3999)}`),
      said('2', `a${'b'.repeat(3999)}`),
      said('2', 'c'),
      called('a', 1),
      done('a', `${'b'.repeat(1000)}c`),
      called('e', 1),
      failed('e', `${'b'.repeat(1000)}c`),
    ])
    expect(messages).toMatchObject([
      { text: `a${'b'.repeat(3999)}` },
      { text: `${'b'.repeat(3999)}c` },
      { output: 'b'.repeat(1000) },
      { output: 'b'.repeat(1000) },
    ])
  })

  it('have the input as it is up to 4000 characters of JSON, and the beginning of a longer one', async () => {
    const whole = 'x'.repeat(3998)
    const { messages } = await workOf([called('a', whole), called('b', `${whole}y`)])
    expect(messages).toMatchObject([{ input: whole }, { input: `"${whole}y` }])
  })

  it.each([undefined, null])('have no output where a tool gave %s', async (nothing) => {
    const { messages } = await workOf([
      called('a', {}),
      done('a', nothing),
      called('b', {}),
      failed('b', nothing),
    ])
    expect(messages.map((message) => message.kind === 'tool' && message.output)).toEqual(['', ''])
  })

  it('say that an input or output is nested too deeply', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    const { messages } = await workOf([
      `data: {"type":"tool-input-available","toolCallId":"a","toolName":"Deep","input":${deep}}\n\n`,
      `data: {"type":"tool-output-available","toolCallId":"a","output":${deep}}\n\n`,
    ])
    const text = 'It is nested too deeply to be shown.'
    expect(messages).toMatchObject([{ input: text, output: text }])
  })
})

describe('the edits of a run', () => {
  it('are those of calls that succeeded, once each, in the order in which they ended', async () => {
    const { edits } = await workOf([
      called('a', { file_path: 'a.ts', old_string: 'let', new_string: 'const' }, 'Edit'),
      called('b', { file_path: 'b.ts', content: 'new' }, 'Write'),
      called('c', { file_path: 'c.ts', content: 'fails' }, 'Write'),
      called('d', { file_path: 'd.ts', content: 'goes on' }, 'Write'),
      done('b'),
      failed('c'),
      done('a'),
      done('a'),
    ])
    expect(edits).toEqual([
      { path: 'b.ts', before: null, after: 'new' },
      { path: 'a.ts', before: 'let', after: 'const' },
    ])
  })

  it('are the last 100', async () => {
    const { edits } = await workOf(
      Array.from({ length: 101 }, (_, index) => edit('a', `${index}`, 'x')).flat(),
    )
    expect(edits.map(({ path }) => path)).toEqual(Array.from({ length: 100 }, (_, index) => `${index + 1}`))
  })

  it('hold 128 KiB of paths and texts, and nothing from the first one on that is too much', async () => {
    const full = 128 * 1024
    const sizes = async (...chunks: Chunk[][]): Promise<string[]> =>
      (await workOf(chunks.flat())).edits.map(({ path }) => path)
    expect(await sizes(edit('a', 'path', 'x'.repeat(full - 10), 'before'))).toEqual(['path'])
    expect(await sizes(edit('a', 'path', 'x'.repeat(full - 9), 'before'))).toEqual([])
    expect(await sizes(edit('a', 'one', 'x'), edit('b', 'two', 'y'))).toEqual(['one', 'two'])
  })
})
