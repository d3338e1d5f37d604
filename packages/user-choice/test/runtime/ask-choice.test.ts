import type { ChannelWarning } from '@sandagent/core'
import type { ToolInvocation } from '@sandagent/core/dialects/user-choice'
import { passTime } from '@sandagent/fixtures/pass-time.ts'
import { receiptsWritten } from '@sandagent/runner'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { type AskChoiceOptions, askChoice } from '../../src/runtime/ask-choice.ts'
import type { AskingStep } from '../../src/runtime/runtime-steps.ts'
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
  }) as AskingStep

async function start(own: Partial<AskChoiceOptions> = {}) {
  const space = await createWorkspace()
  const clock = createFakeClock()
  const warnings: ChannelWarning[] = []
  const withdrawn = new AbortController()
  const stop = new AbortController()
  const ask = (pending = choice()) => {
    const onOpen = vi.fn()
    const outcome = askChoice(pending, {
      invocation: { operation: 'write', arguments: {}, id: 'i', group_id: 'g' } as unknown as ToolInvocation,
      channel: space.channel,
      timeoutMs: 5000,
      clock,
      onWarning: (warning) => warnings.push(warning),
      onOpen,
      withdrawn: withdrawn.signal,
      stop: stop.signal,
      ...own,
    })
    outcome.catch(() => {})
    return { outcome, onOpen, opened: vi.waitFor(() => expect(onOpen).toHaveBeenCalledOnce()) }
  }
  return { space, clock, warnings, withdrawn, stop, ask }
}

it('a choice is a question of the conversation, under the name of the operation', async () => {
  const { space, ask, stop } = await start()
  const { outcome, opened } = ask()
  await opened
  expect(await space.record(QUESTION)).toMatchObject({
    runId: 'g',
    toolName: 'write',
    timeoutMs: 5000,
    questions: [{ question: 'May I?' }],
  })
  stop.abort()
  expect(await outcome).toBeNull()
  expect(await space.record(QUESTION)).toMatchObject({ state: 'open' })
})

it('a choice that nobody waits for is withdrawn at any time, and is its default', async () => {
  const before = await start()
  before.withdrawn.abort()
  expect(await before.ask().outcome).toBe(0)

  const later = await start()
  const { outcome, opened } = later.ask()
  await opened
  later.withdrawn.abort()
  expect(await outcome).toBe(0)
  expect(await later.space.record(QUESTION)).toMatchObject({ state: 'aborted' })
})

it('a choice that nobody waits for any more is withdrawn when it was open before', async () => {
  const { space, ask, stop, withdrawn } = await start()
  const first = ask()
  await first.opened
  stop.abort()
  await first.outcome
  withdrawn.abort()
  const next = await start({ channel: space.channel, withdrawn: withdrawn.signal })
  expect(await next.ask().outcome).toBe(0)
  expect(await space.record(QUESTION)).toMatchObject({ state: 'aborted' })
})

it('a draft is no choice when the time runs out', async () => {
  const { space, clock, ask } = await start()
  const { outcome } = ask()
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  await space.respond(QUESTION, { q1: picked('Once') }, { status: 'pending' })
  expect(await passTime(clock, 5000, outcome)).toBe(0)
})

it('an answer that cannot be the choice is a warning', async () => {
  const { space, warnings, ask, withdrawn } = await start()
  const { outcome, opened } = ask()
  await opened
  await space.respond(QUESTION, { q1: picked('Twice') })
  await vi.waitFor(() => expect(warnings).toMatchObject([{ toolCallId: QUESTION }]))
  withdrawn.abort()
  await outcome
})

it('a choice that was made before is made again for its own call alone', async () => {
  const { space, clock, ask } = await start()
  const { outcome, opened } = ask()
  await opened
  await space.respond(QUESTION, { q1: picked('Once') })
  expect(await outcome).toBe(1)
  await receiptsWritten()
  const askedAt = new Date(clock.now())
  expect(await ask(choice(askedAt.toISOString())).outcome).toBe(1)
  const later = choice(new Date(askedAt.getTime() + 1).toISOString())
  await expect(ask(later).outcome).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'A choice under this id was made in an earlier call',
  })
})

it('a choice that is still open is adopted, however old it is', async () => {
  const { space, stop, ask } = await start()
  const first = ask()
  await first.opened
  stop.abort()
  await first.outcome
  const next = await start({ channel: space.channel })
  const { outcome, opened } = next.ask(choice('2999-01-01T00:00:00.000Z'))
  await opened
  await space.respond(QUESTION, { q1: picked('Once') })
  expect(await outcome).toBe(1)
})
