import type { ChannelWarning } from '@sandagent/core'
import type { ToolInvocation } from '@sandagent/core/dialects/user-choice'
import { passTime } from '@sandagent/fixtures/pass-time.ts'
import { receiptsWritten } from '@sandagent/runner'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { type AskChoiceOptions, askChoice } from '../../src/runtime/ask-choice.ts'
import type { PendingChoice } from '../../src/runtime/runtime-record.ts'
import { createWorkspace, picked } from '../workspace.ts'

const QUESTION = 'g:i'
const choice = (receivedAt = '2026-01-01T00:00:00.000Z') =>
  ({
    message: {
      type: 'user_choice',
      group_id: 'g',
      id: 'i',
      prompt: 'May I?',
      choices: ['No', 'Once'],
      default: 0,
      response_url: 'https://tool.example/',
    },
    receivedAt,
    state: 'asked',
  }) as PendingChoice

async function start(own: Partial<AskChoiceOptions> = {}) {
  const space = await createWorkspace()
  const clock = createFakeClock()
  const warnings: ChannelWarning[] = []
  const ended = new AbortController()
  const dismissed = new AbortController()
  const closing = new AbortController()
  const ask = (pending = choice()) => {
    const onOpen = vi.fn()
    const outcome = askChoice(pending, {
      invocation: { operation: 'write', arguments: {}, id: 'i', group_id: 'g' } as unknown as ToolInvocation,
      channel: space.channel,
      timeoutMs: 5000,
      clock,
      onWarning: (warning) => warnings.push(warning),
      onOpen,
      ended: ended.signal,
      dismissed: dismissed.signal,
      closing: closing.signal,
      ...own,
    })
    outcome.catch(() => {})
    return { outcome, onOpen, opened: vi.waitFor(() => expect(onOpen).toHaveBeenCalledOnce()) }
  }
  return { space, clock, warnings, ended, dismissed, closing, ask }
}

it('a choice is a question of the conversation, under the name of the operation', async () => {
  const { space, ask, closing } = await start()
  const { outcome, opened } = ask()
  await opened
  expect(await space.record(QUESTION)).toMatchObject({
    runId: 'g',
    toolName: 'write',
    timeoutMs: 5000,
    questions: [{ question: 'May I?' }],
  })
  closing.abort()
  expect(await outcome).toMatchObject({ kind: 'aborted' })
  expect(await space.record(QUESTION)).toMatchObject({ state: 'open' })
})

it.each(['ended', 'dismissed'] as const)(
  'a choice of a call that is %s is withdrawn, at any time',
  async (how) => {
    const before = await start()
    before[how].abort()
    expect(await before.ask().outcome).toMatchObject({ kind: 'aborted' })

    const later = await start()
    const { outcome, opened } = later.ask()
    await opened
    later[how].abort()
    expect(await outcome).toMatchObject({ kind: 'aborted' })
    expect(await later.space.record(QUESTION)).toMatchObject({ state: 'aborted' })
  },
)

it('a choice that nobody waits for any more is withdrawn when it was open before', async () => {
  const { space, ask, closing, dismissed } = await start()
  const first = ask()
  await first.opened
  closing.abort()
  await first.outcome
  dismissed.abort()
  const next = await start({ channel: space.channel, dismissed: dismissed.signal })
  expect(await next.ask().outcome).toMatchObject({ kind: 'aborted' })
  expect(await space.record(QUESTION)).toMatchObject({ state: 'aborted' })
})

it('a draft is no choice when the time runs out', async () => {
  const { space, clock, ask } = await start()
  const { outcome } = ask()
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  await space.respond(QUESTION, { q1: picked('Once') }, { status: 'pending' })
  expect(await passTime(clock, 5000, outcome)).toMatchObject({ kind: 'timed-out', responses: {} })
})

it('an answer that cannot be the choice is a warning', async () => {
  const { space, warnings, ask, ended } = await start()
  const { outcome, opened } = ask()
  await opened
  await space.respond(QUESTION, { q1: picked('Twice') })
  await vi.waitFor(() => expect(warnings).toMatchObject([{ toolCallId: QUESTION }]))
  ended.abort()
  await outcome
})

it('a choice that was made before is made again for its own call alone', async () => {
  const { space, clock, ask } = await start()
  const { outcome, opened } = ask()
  await opened
  await space.respond(QUESTION, { q1: picked('Once') })
  const made = await outcome
  await receiptsWritten()
  const askedAt = new Date(clock.now())
  expect(await ask(choice(askedAt.toISOString())).outcome).toEqual(made)
  const later = choice(new Date(askedAt.getTime() + 1).toISOString())
  await expect(ask(later).outcome).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'A choice under this id was made in an earlier call',
  })
})

it('a choice that is still open is adopted, however old it is', async () => {
  const { space, closing, ask } = await start()
  const first = ask()
  await first.opened
  closing.abort()
  await first.outcome
  const next = await start({ channel: space.channel })
  const { outcome, opened } = next.ask(choice('2999-01-01T00:00:00.000Z'))
  await opened
  await space.respond(QUESTION, { q1: picked('Once') })
  expect(await outcome).toMatchObject({ kind: 'answered' })
})
