import type { AnswerRequest } from '@sandagent/core'
import { submitAnswer } from '@sandagent/sdk'
import { createFakeClock, createMemoryChannel, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createInbox, lookAround } from '../src/create-inbox.ts'
import { type AuthorizeInbox, createInboxCaller } from '../src/inbox-caller.ts'
import type { InboxSandbox, InboxSandboxes } from '../src/inbox-sandbox.ts'
import { inboxStream } from '../src/inbox-stream.ts'
import type { InboxList } from '../src/list-inbox.ts'

const NOTHING: InboxList = { questions: [], unreachable: [] }
const unreachable = (sandboxId: string) => ({
  sandboxId,
  sandboxName: sandboxId,
  code: 'UNREACHABLE' as const,
  message: 'Not now',
})

/** The stream of an inbox with two sandboxes in memory, and its text so far. */
function streaming(
  options: {
    list?: () => Promise<InboxList>
    authorize?: AuthorizeInbox
    sandboxes?: (entries: InboxSandbox[]) => InboxSandboxes
  } = {},
) {
  const clock = createFakeClock()
  const [one, two] = [createMemoryChannel({ clock }), createMemoryChannel({ clock })]
  const entries = Object.entries({ one, two }).map(([id, { sandbox }]) => ({ id, name: id, sandbox }))
  const sandboxes = options.sandboxes?.(entries) ?? entries
  const onError = vi.fn()
  const { list = async () => NOTHING, authorize } = options
  const request = new Request('http://localhost/api/inbox/questions')
  const reader = inboxStream({
    sandboxes,
    around: lookAround({ clock, signingKeys: null, onWarning: () => {} }),
    callerWith: (onFailure) => createInboxCaller(request, { sandboxes, authorize, onFailure, clock }),
    list,
    clock,
    onError,
  }).getReader()
  onTestFinished(() => reader.cancel().catch(() => {}))
  const seen = { text: '' }
  /** Reads on until there is such a text, or to the end. */
  const until = async (part: string | null): Promise<void> => {
    while (part === null || !seen.text.includes(part)) {
      const { done, value } = await reader.read()
      if (done && part === null) return
      if (done) throw new Error(`It ended before ${part}: ${seen.text}`)
      seen.text += new TextDecoder().decode(value)
    }
  }
  return { clock, one, two, entries, onError, reader, seen, until }
}

describe('the stream of an inbox', () => {
  it('begins with the list, and what changes while that is made comes after it', async () => {
    let finish = (_: InboxList): void => {}
    const made = new Promise<InboxList>((resolve) => {
      finish = resolve
    })
    const { one, seen, until } = streaming({ list: () => made })
    await until('keep-alive')
    await one.runner.open(openRecord('a'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen.text).not.toContain('data:')
    finish(NOTHING)
    await until('"toolCallId":"a"')
    expect(seen.text).toContain(`event: list\ndata: ${JSON.stringify(NOTHING)}\n\n`)
    expect(seen.text.indexOf('event: list')).toBeLessThan(seen.text.indexOf('"toolCallId":"a"'))
    expect(seen.text).toMatch(/^data: {"kind":"question","sandboxId":"one".*}\n\n/m)
  })

  it('tells of a question that was answered between the list and the first look of the watch', async () => {
    let follow = (): void => {}
    const isFollowed = new Promise<void>((resolve) => {
      follow = resolve
    })
    let listed = (_: InboxList): void => {}
    const made = new Promise<InboxList>((resolve) => {
      listed = resolve
    })
    const { one, entries, seen, until } = streaming({
      list: () => made,
      sandboxes: (all) => () => isFollowed.then(() => all),
    })
    await one.runner.open(openRecord('a'))
    listed(await createInbox({ sandboxes: entries, signingKeys: null }).list())
    expect((await made).questions).toHaveLength(1)
    const responses = { q1: { selected: ['A'], source: 'human' as const } }
    const answer: AnswerRequest = { toolCallId: 'a', status: 'completed', responses }
    await submitAnswer(one.sandbox, answer, { signingKeys: null })
    follow()
    await until('"state":"sent"')
    expect(seen.text.indexOf('event: list')).toBeLessThan(seen.text.indexOf('"state":"sent"'))
  })

  it('tells that a sandbox replies which the list missed, and of no other one', async () => {
    const { two, seen, until } = streaming({
      list: async () => ({ ...NOTHING, unreachable: [unreachable('one')] }),
    })
    await until('"kind":"reachable"')
    await two.runner.open(openRecord('a'))
    await until('"toolCallId":"a"')
    expect(seen.text.match(/"kind":"reachable","sandboxId":"\w+"/g)).toEqual([
      '"kind":"reachable","sandboxId":"one"',
    ])
  })

  it('hides what the caller may not see', async () => {
    const { one, two, seen, until } = streaming({
      authorize: (_, { sandboxId }) => sandboxId === 'two',
      list: async () => ({ ...NOTHING, unreachable: [unreachable('one'), unreachable('two')] }),
    })
    await one.runner.open(openRecord('hidden'))
    await two.runner.open(openRecord('a'))
    await until('"toolCallId":"a"')
    await until('"kind":"reachable"')
    expect(seen.text).not.toContain('hidden')
    expect(seen.text).not.toContain('"kind":"reachable","sandboxId":"one"')
  })

  it('ends when authorize fails, so that the page connects again', async () => {
    const { one, clock, onError, until, seen } = streaming({
      authorize: (_, { toolCallId }) => {
        if (toolCallId === 'a') throw new Error('no database')
        return true
      },
    })
    await until('event: list')
    await one.runner.open(openRecord('a'))
    await until(null)
    expect(seen.text).not.toContain('"toolCallId":"a"')
    expect(onError).not.toHaveBeenCalled()
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
  })

  it('leaves the sandboxes when its reader goes', async () => {
    const { clock, reader, until } = streaming({ sandboxes: (entries) => () => entries })
    await until('event: list')
    const gone = reader.read()
    await clock.whenPending(3)
    await reader.cancel()
    await gone
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
  })

  it('breaks off when its list cannot be made, and leaves the sandboxes', async () => {
    const failure = new Error('no list')
    const { clock, onError, until } = streaming({ list: () => Promise.reject(failure) })
    await expect(until(null)).rejects.toBe(failure)
    expect(onError.mock.calls).toEqual([[failure]])
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
  })

  it('breaks off with the first failure when nothing can be named', async () => {
    const failure = new Error('no list')
    const sandboxes = () => async () => {
      throw new Error('no sandboxes')
    }
    const { onError, until } = streaming({ list: () => Promise.reject(failure), sandboxes })
    await expect(until(null)).rejects.toBe(failure)
    expect(onError.mock.calls).toEqual([[failure]])
    const late = streaming({ sandboxes })
    await expect(late.until(null)).rejects.toThrow('no sandboxes')
  })
})
