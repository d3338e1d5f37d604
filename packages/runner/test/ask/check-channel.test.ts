import { expect, it } from 'vitest'
import { checkChannel } from '../../src/ask/check-channel.ts'
import { createWorkspace } from '../workspace.ts'

it('the channel of a runner is taken, and needs each of its methods', async () => {
  const { channel } = await createWorkspace()
  expect(() => checkChannel(channel)).not.toThrow()
  for (const name of ['open', 'read', 'subscribe', 'close', 'settle'])
    expect(() => checkChannel({ ...channel, [name]: undefined })).toThrow('an object without its methods')
})

it.each([
  [null, 'and is null'],
  [undefined, 'and is undefined'],
  ['folder', 'and is string'],
  [() => {}, 'and is function'],
  [Promise.resolve(), 'and is a promise: wait for it first'],
  [{ questions: () => {}, write: () => {} }, 'and is the channel of a host'],
  [{ questions: () => {} }, 'and is an object without its methods'],
  [{ write: () => {} }, 'and is an object without its methods'],
])('the error for anything else says what it is: %s', (given, what) => {
  let error: unknown
  try {
    checkChannel(given)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(what),
    faults: [{ path: 'channel', expected: 'the channel of a runner' }],
  })
})
