import { readdir } from 'node:fs/promises'
import { createFileRunnerChannel } from '@sandagent/files'
import { beforeEach, expect, it } from 'vitest'
import { askUser, createVerifiedChannel } from '../../src/index.ts'
import { createWorkspace, type Workspace } from '../workspace.ts'

let space: Workspace
beforeEach(async () => {
  space = await createWorkspace()
})

const request = { toolCallId: 'call_1', runId: 'run_1', questions: [{ question: 'A?' }] }
// Callers without types.
const ask = (channel: unknown, call: unknown, options?: unknown) =>
  askUser(channel as never, call as never, options as never)

it.each<[string, object, object | null, string]>([
  ['options in the request', { ...request, timeoutMs: 1000 }, {}, 'timeoutMs'],
  ['an option that does not exist', request, { timeout: 1000 }, 'timeout'],
  ['a controller in place of its signal', request, { signal: new AbortController() }, 'signal'],
  ['a number in place of a signal', request, { leave: 1000 }, 'leave'],
  ['an unknown way to end a wait', request, { timeoutPolicy: 'default' }, 'timeoutPolicy'],
  ['a quiet time in words', request, { quietMs: 'long' }, 'quietMs'],
  ['a clock without its methods', request, { clock: Date }, 'clock'],
  ['a callback that is no function', request, { onAsked: 'asked' }, 'onAsked'],
  ['a warning callback that is no function', request, { onWarning: console }, 'onWarning'],
  ['no options at all', request, null, ''],
  ['an unknown kind', { ...request, kind: 'permission' }, {}, 'kind'],
  ['a subject that is no tool call', { ...request, subject: 'rm' }, {}, 'subject'],
  ['no run', { ...request, runId: undefined }, {}, 'runId'],
  ['no tool call', { ...request, toolCallId: undefined }, {}, 'toolCallId'],
])(
  'askUser refuses a call with %s by its name, before anything is written',
  async (_, call, options, path) => {
    await expect(ask(space.channel, call, options)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(path),
      faults: [{ path }],
    })
    expect(await readdir(space.workdir)).toEqual([])
  },
)

it.each<[string, () => unknown, RegExp]>([
  ['undefined', () => undefined, /is undefined/],
  ['a promise', () => Promise.resolve(space.channel), /a promise: wait for it/],
  ['the channel of a host', () => space.host, /the channel of a host/],
  ['an object of another kind', () => ({}), /without its methods/],
])('askUser refuses %s as its channel, and names the argument', async (_, channel, message) => {
  const refused = ask(channel(), request)
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_REQUEST', faults: [{ path: 'channel' }] })
  await expect(refused).rejects.toThrow(message)
})

it('askUser takes options without a value', async () => {
  const outcome = askUser(
    space.channel,
    { ...request, toolName: undefined, kind: undefined, subject: undefined, asker: undefined },
    {
      timeoutMs: 0,
      timeoutPolicy: undefined,
      signal: undefined,
      detachSignal: undefined,
      clock: undefined,
      onWarning: undefined,
    },
  )
  expect(await outcome).toMatchObject({ kind: 'timed-out' })
})

it.each<[string, () => unknown]>([
  ['createFileRunnerChannel', () => createFileRunnerChannel({ workdir: space.workdir, typo: 1 } as never)],
  [
    'createVerifiedChannel: its options',
    () => createVerifiedChannel(space.channel, { keys: { keys: [] }, typo: 1 } as never),
  ],
])('%s refuses an option that it does not have', (name, call) => {
  expect(call).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining(`${name}: `) }),
  )
})
