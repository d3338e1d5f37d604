import { AskError } from '@sandagent/core'
import type { Policy } from '@sandagent/sdk'
import { answerFileFor, createFakeClock, createMemoryChannel, openRecord } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { type AuthorizeInbox, createInboxCaller } from '../src/inbox-caller.ts'
import type { InboxSandbox, InboxSandboxes } from '../src/inbox-sandbox.ts'

const entry = (id: string): InboxSandbox => ({
  id,
  name: `The ${id}`,
  sandbox: createMemoryChannel().sandbox,
})
const ONE = entry('one')
const RECORD = openRecord('a')
const STATE = { toolCallId: 'a', record: RECORD }
const forbidden = (): never => {
  throw new AskError('FORBIDDEN', 'Not for you')
}

function calling({
  query = '',
  ...more
}: {
  query?: string
  authorize?: AuthorizeInbox
  policy?: Policy
  sandboxes?: InboxSandboxes
} = {}) {
  const request = new Request(`http://localhost/inbox${query}`)
  const onFailure = vi.fn()
  const clock = createFakeClock()
  return {
    request,
    onFailure,
    caller: createInboxCaller(request, { sandboxes: [ONE, entry('two')], clock, onFailure, ...more }),
  }
}

describe('the caller of an inbox', () => {
  it('sees everything without `authorize`', async () => {
    const { caller } = calling()
    expect((await caller.sandboxes()).map(({ id }) => id)).toEqual(['one', 'two'])
    expect(await caller.maySee('one')).toBe(true)
    expect(await caller.show(ONE, STATE)).toMatchObject({
      sandboxId: 'one',
      sandboxName: 'The one',
      runId: 'run-1',
      question: { toolCallId: 'a', state: 'open' },
    })
    expect(caller.failure).toBeNull()
  })

  it('is known to `authorize` by the request, and what is asked for by its names', async () => {
    const authorize = vi.fn<AuthorizeInbox>(() => true)
    const { caller, request } = calling({ authorize })
    await caller.maySee('one')
    await caller.show(ONE, STATE)
    await caller.show(ONE, { toolCallId: 'older' })
    expect(authorize.mock.calls).toEqual([
      [request, { sandboxId: 'one' }],
      [request, { sandboxId: 'one', toolCallId: 'a', record: RECORD }],
      [request, { sandboxId: 'one', toolCallId: 'older' }],
    ])
    expect(authorize.mock.calls[0]?.[0]).toBe(request)
  })

  it('sees no sandbox that `authorize` refuses or forbids, and one that it gives a name for', async () => {
    const authorize: AuthorizeInbox = (_, { sandboxId }) =>
      sandboxId === 'one' ? false : sandboxId === 'two' ? forbidden() : { answeredBy: 'ann' }
    const { caller } = calling({ authorize, sandboxes: async () => ['one', 'two', 'three'].map(entry) })
    expect((await caller.sandboxes()).map(({ id }) => id)).toEqual(['three'])
    expect(await caller.maySee('three')).toBe(true)
  })

  it('learns any other failure of `authorize` about a sandbox', async () => {
    for (const failure of [new AskError('UNAUTHENTICATED', 'Who are you?'), new Error('No directory')]) {
      const { caller, onFailure } = calling({ authorize: () => Promise.reject(failure) })
      await expect(caller.maySee('one')).rejects.toBe(failure)
      await expect(caller.sandboxes()).rejects.toBe(failure)
      expect([caller.failure, onFailure.mock.calls]).toEqual([null, []])
    }
  })

  it('sees no question that `authorize` refuses or forbids', async () => {
    for (const authorize of [() => false, forbidden]) {
      const { caller, onFailure } = calling({ authorize })
      expect(await caller.show(ONE, STATE)).toBeNull()
      expect([caller.failure, onFailure.mock.calls]).toEqual([null, []])
    }
  })

  it('sees no question when `authorize` fails, and the first failure is kept', async () => {
    let failure: Error = new AskError('UNAUTHENTICATED', 'Who are you?')
    const first = failure
    const { caller, onFailure } = calling({ authorize: () => Promise.reject(failure) })
    expect(await caller.show(ONE, STATE)).toBeNull()
    expect(onFailure).toHaveBeenCalledOnce()
    failure = new Error('No directory')
    expect(await caller.show(ONE, STATE)).toBeNull()
    expect(caller.failure?.error).toBe(first)
    expect(onFailure).toHaveBeenCalledTimes(2)
  })

  it('needs no `onFailure`', async () => {
    const caller = createInboxCaller(new Request('http://localhost/inbox'), {
      sandboxes: [],
      authorize: () => Promise.reject(new Error('No directory')),
      clock: createFakeClock(),
    })
    expect(await caller.show(ONE, STATE)).toBeNull()
    expect(caller.failure?.error).toMatchObject({ message: 'No directory' })
  })

  it('is told by the policy whether the answer is theirs to give', async () => {
    const policy: Policy = [{ roles: ['lead'] }]
    const asked = async (roles: string[]): Promise<unknown> => {
      const { caller } = calling({ policy, authorize: () => ({ answeredBy: 'ann', roles }) })
      return (await caller.show(ONE, STATE))?.question.mayAnswer
    }
    expect([await asked(['lead']), await asked(['guest'])]).toEqual([true, false])
  })

  it('sees which draft is of their own browser, by the first 64 characters of its id', async () => {
    const browser = 'b'.repeat(64)
    const state = { ...STATE, answerFile: answerFileFor('a', { browser } as object) }
    const shown = async (query: string): Promise<unknown> =>
      (await calling({ query }).caller.show(ONE, state))?.question
    const own = await shown(`?browser=${browser}`)
    expect(await shown(`?browser=${browser}c`)).toEqual(own)
    expect(await shown(`?browser=${browser.slice(1)}`)).not.toEqual(own)
    expect(await shown('')).not.toEqual(own)
  })
})
