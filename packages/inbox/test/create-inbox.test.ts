import { storeOf } from '@sandagent/fixtures/channel-store.ts'
import type { Decision } from '@sandagent/sdk'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { createFakeClock, createMemoryChannel, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createInbox, INBOX_OPTIONS, type InboxOptions, lookAround } from '../src/create-inbox.ts'
import type { InboxSandbox } from '../src/inbox-sandbox.ts'
import { refusalOf } from './support/temp-sandbox.ts'

const answers = { 'Which language?': 'A' }

/** An inbox of two sandboxes in memory, and one that does not reply. */
function inboxOf(more: Partial<InboxOptions> = {}) {
  const clock = createFakeClock('2026-01-01T01:00:00Z')
  const [one, two] = [createMemoryChannel({ clock }), createMemoryChannel({ clock })]
  const entryOf = (id: string, sandbox: InboxSandbox['sandbox']) => ({ id, name: `The ${id}`, sandbox })
  const sandboxes = [entryOf('one', one.sandbox), entryOf('two', two.sandbox)]
  const never = () => new Promise<never>(() => {})
  const channel = { read: never, questions: never, states: never } as never
  const silent = entryOf('silent', {
    ...one.sandbox,
    questions: storeOf(channel),
    runs: { keyIds: never },
    logs: { lastAttempt: never, tail: never, pieces: never as never },
  })
  const options = { signingKeys: null, onWarning: () => {}, clock, sandboxes, ...more }
  return { clock, one, two, sandboxes, silent, inbox: createInbox(options), options }
}

describe('the options of an inbox', () => {
  it('are checked by their names and kinds', () => {
    const { options } = inboxOf()
    for (const wrong of [
      { sandbox: 1 },
      { sandboxes: undefined },
      { policy: {} },
      { onWarning: 'log' },
      { clock: {} },
    ])
      expect(() => createInbox({ ...options, ...(wrong as object) })).toThrow(
        expect.objectContaining({
          code: 'INVALID_REQUEST',
          message: expect.stringMatching(/^createInbox\b/),
        }),
      )
    expect(Object.keys(INBOX_OPTIONS).sort()).toEqual(
      [
        'clock',
        'grants',
        'onDecision',
        'onWarning',
        'passkeys',
        'patienceMs',
        'policy',
        'sandboxes',
        'signingKeys',
      ].sort(),
    )
  })

  it('have a patience of five seconds, and are passed on', () => {
    expect(lookAround({}).patienceMs).toBe(5000)
    const clock = createFakeClock()
    const onWarning = vi.fn()
    expect(lookAround({ clock, patienceMs: 7, onWarning, signingKeys: null })).toMatchObject({
      clock,
      patienceMs: 7,
      host: { clock, onWarning, signingKeys: null },
    })
  })
})

describe('an answer by an inbox', () => {
  it('goes to its sandbox alone, with the person and the time', async () => {
    const { inbox, one, two } = inboxOf()
    for (const { runner } of [one, two]) await runner.open(openRecord('a'))
    expect(await inbox.submit('two', { toolCallId: 'a', answers }, { answeredBy: 'ann' })).toMatchObject({
      status: 'completed',
    })
    expect((await two.host.read('a')).answerFile).toMatchObject({
      status: 'completed',
      answeredBy: 'ann',
      timestamp: '2026-01-01T01:00:00.000Z',
    })
    expect((await one.host.read('a')).answerFile).toBeUndefined()
  })

  it('may be a decline, with a reason and the person', async () => {
    const { inbox, one } = inboxOf()
    await one.runner.open(openRecord('a'))
    await inbox.decline('one', { toolCallId: 'a', reason: 'No time' }, { answeredBy: 'ann' })
    expect((await one.host.read('a')).answerFile).toMatchObject({
      status: 'declined',
      reason: 'No time',
      answeredBy: 'ann',
    })
  })

  it('follows the policy', async () => {
    const { inbox, one } = inboxOf({ policy: [{ roles: ['lead'] }] })
    await one.runner.open(openRecord('a'))
    const by = (roles: string[]) => ({ answeredBy: 'ann', roles })
    const refused = inbox.submit('one', { toolCallId: 'a', answers }, by(['guest']))
    expect(await refusalOf(refused)).toMatchObject({ code: 'NOT_ALLOWED' })
    expect(await inbox.submit('one', { toolCallId: 'a', answers }, by(['lead']))).toMatchObject({
      status: 'completed',
    })
  })
})

describe('the decisions of an inbox', () => {
  it('are reported with the person, what was done, and what came of it', async () => {
    const decisions: Decision[] = []
    const policy = [{ votes: 2 }]
    const { inbox, one } = inboxOf({ policy, onDecision: (decision) => decisions.push(decision) })
    await one.runner.open(openRecord('a'))
    const by = { answeredBy: 'ann' }
    await inbox.submit('one', { toolCallId: 'a', answers, status: 'pending' }, by)
    await inbox.submit('one', { toolCallId: 'a', answers }, by)
    await inbox.decline('one', { toolCallId: 'a' }, { answeredBy: 'ben' })
    await refusalOf(inbox.submit('one', { toolCallId: 'a', answers }, by))
    await refusalOf(inbox.submit('none', { toolCallId: 'a', answers }))
    await refusalOf(inbox.submit('one', { toolCallId: 5, status: 'done' } as never))
    const common = {
      at: '2026-01-01T01:00:00.000Z',
      toolCallId: 'a',
      sandboxId: 'one',
      answeredBy: 'ann',
      outcome: 'OK',
    }
    const { answeredBy: _, ...unnamed } = common
    expect(decisions).toEqual([
      { ...common, action: 'draft' },
      { ...common, action: 'vote' },
      { ...common, action: 'decline', answeredBy: 'ben' },
      { ...common, action: 'answer', outcome: 'CONFLICT' },
      { ...unnamed, sandboxId: 'none', action: 'answer', outcome: 'NOT_FOUND' },
      { at: common.at, sandboxId: 'one', action: 'request', outcome: 'INVALID_REQUEST' },
    ])
  })

  it('have the ids that anybody may send, cut', async () => {
    const decisions: Decision[] = []
    const { inbox } = inboxOf({ onDecision: (decision) => decisions.push(decision) })
    const long = 'x'.repeat(1000)
    await refusalOf(inbox.submit(long, { toolCallId: long, answers }))
    expect(decisions).toMatchObject([{ sandboxId: long.slice(0, 200), toolCallId: long.slice(0, 200) }])
  })

  it('that cannot be kept do not keep a person from answering', async () => {
    const failure = new Error('The disk is full')
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => error.mockRestore())
    const onDecision = () => {
      throw failure
    }
    const { inbox, one } = inboxOf({ onDecision })
    await one.runner.open(openRecord('a'))
    expect(await inbox.submit('one', { toolCallId: 'a', answers })).toMatchObject({ status: 'completed' })
    const printed = error.mock.calls.filter((words) => words.join(' ').includes(failure.message))
    expect(printed).toHaveLength(1)
  })
})

describe('a question of an inbox', () => {
  it('is found in every sandbox, or in the one that is named', async () => {
    const { inbox, one, two } = inboxOf()
    await one.runner.open(openRecord('a'))
    for (const { runner } of [one, two]) await runner.open(openRecord('b'))
    expect(await inbox.find({ toolCallId: 'a' })).toMatchObject({ sandboxId: 'one', runId: 'run-1' })
    expect(await inbox.find({ toolCallId: 'b', sandboxId: 'two' })).toMatchObject({ sandboxId: 'two' })
    expect(await refusalOf(inbox.find({ toolCallId: 'b' }))).toMatchObject({
      code: 'CONFLICT',
      facts: { toolCallId: 'b', sandboxIds: ['one', 'two'] },
    })
    expect(await refusalOf(inbox.find({ toolCallId: 'a', sandboxId: 'two' }))).toMatchObject({
      code: 'NOT_FOUND',
      facts: { toolCallId: 'a' },
    })
  })

  it('may be in a sandbox that does not reply', async () => {
    const { one, silent, sandboxes, options, clock } = inboxOf()
    await one.runner.open(openRecord('a'))
    const inbox = createInbox({ ...options, sandboxes: [silent, ...sandboxes], patienceMs: 2000 })
    const late = async (toolCallId: string): Promise<unknown> => {
      const found = inbox.find({ toolCallId }).catch((error: unknown) => error)
      await clock.whenPending()
      await new Promise((resolve) => setImmediate(resolve))
      clock.advance(2000)
      return found
    }
    expect(await late('a')).toMatchObject({ sandboxId: 'one' })
    expect(await late('b')).toMatchObject({
      code: 'UNREACHABLE',
      message: 'The silent cannot be read: It has not replied within 2 s',
    })
  })
})

describe('a sandbox of an inbox', () => {
  it('must be there for whatever is asked of it', async () => {
    const { inbox, options } = inboxOf()
    const signing = createInbox({
      ...options,
      signingKeys: await parseSigningKeys(await createSigningKey()),
    })
    const link = { toolCallId: 'a', page: 'https://inbox.example/answer' }
    for (const asked of [
      inbox.submit('none', { toolCallId: 'a', answers }),
      inbox.decline('none', { toolCallId: 'a' }),
      inbox.find({ toolCallId: 'a', sandboxId: 'none' }),
      inbox.run('none', 'r'),
      inbox.lastWork('none', 'r'),
      inbox.log('none', 'r'),
      signing.answerLink('none', link),
    ])
      expect(await refusalOf(asked)).toMatchObject({ code: 'NOT_FOUND', facts: { sandboxId: 'none' } })
  })

  it('that only takes answers has no runs', async () => {
    const { inbox } = inboxOf()
    expect(await inbox.runs()).toEqual({ runs: [], unreachable: [] })
    expect(await inbox.lastWork('one', 'r')).toEqual({ messages: [], edits: [] })
  })

  it('that does not reply in time cannot tell what a run did', async () => {
    const { silent, options, clock } = inboxOf()
    const inbox = createInbox({ ...options, sandboxes: [silent] })
    const work = refusalOf(inbox.lastWork('silent', 'r'))
    await clock.whenPending()
    clock.advance(5000)
    expect(await work).toMatchObject({ code: 'UNREACHABLE', message: 'It has not replied within 5 s' })
    expect(clock.pending()).toBe(0)
  })

  it('that fails with a code of the system cannot tell either, and the failure is the cause', async () => {
    const { silent, options } = inboxOf()
    const cause = Object.assign(new Error('The disk is gone'), { code: 'EIO' })
    const logs = { lastAttempt: () => Promise.reject(cause) } as never
    const failing = { ...silent, sandbox: { ...silent.sandbox, logs } }
    const inbox = createInbox({ ...options, sandboxes: [failing] })
    expect(await refusalOf(inbox.lastWork('silent', 'r'))).toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/^This run cannot be read/),
      cause,
    })
  })

  it('makes links that name it, if the inbox has keys', async () => {
    const { inbox, options, sandboxes } = inboxOf()
    const request = { toolCallId: 'a', page: 'https://inbox.example/answer' }
    expect(await refusalOf(inbox.answerLink('one', request))).toMatchObject({ code: 'NO_SIGNING_KEY' })
    const channel = createMemoryChannel({ clock: options.clock })
    await channel.runner.open(openRecord('a'))
    const signing = createInbox({
      ...options,
      signingKeys: await parseSigningKeys(await createSigningKey()),
      sandboxes: [...sandboxes, { id: 'a&b', name: 'Both', sandbox: channel.sandbox }],
    })
    expect(await signing.answerLink('a&b', request)).toMatch(
      /^https:\/\/inbox\.example\/answer#sandbox=a%26b&toolCallId=a&token=[^&]+$/,
    )
  })
})
