import { AskError } from '@sandagent/core'
import type { InboxChange } from '@sandagent/inbox'
import { expect, it, onTestFinished, vi } from 'vitest'
import { retryFailedNotices } from '../../src/sent/failed-notices.ts'
import { createSentNotices, type SentNotice } from '../../src/sent/sent-notices.ts'
import { followInbox } from '../../src/start/follow-inbox.ts'
import type { NoticesContext } from '../../src/start/notices-options.ts'
import { createOffice, MINUTE } from './office.ts'

/** Tells Ada of what an inbox asks, until the test ends. */
function follow(context: Omit<NoticesContext, 'people' | 'signal'>, ending = new AbortController()): void {
  const people = { Ada: { addresses: { chat: 'ada' } } }
  const following = followInbox({ ...context, people, signal: ending.signal })
  onTestFinished(async () => {
    ending.abort()
    await following
  })
}

it('a notice that somebody has asked for again is sent once, however slow its folder is', async () => {
  const { sink, inbox, ask, pass, folder, clock } = await createOffice()
  const onWarning = (): void => {}
  const stored = createSentNotices(folder, { onWarning })
  const reads: (() => void)[] = []
  let isSlow = false
  const slow: typeof stored = {
    ...stored,
    async find(notice) {
      const found = await stored.find(notice)
      if (isSlow) await new Promise<void>((resolve) => reads.push(resolve))
      return found
    },
  }
  follow({ inbox, folder, clock, onWarning, sent: slow, sinks: { chat: sink } })
  sink.failures.push(new AskError('FORBIDDEN', 'No route'))
  await ask('toolu_1')
  await vi.waitFor(async () => expect(await stored.all()).toHaveLength(1))
  isSlow = true
  await retryFailedNotices(folder, { onWarning })
  await vi.waitFor(async () => {
    await pass(MINUTE)
    expect(reads).toHaveLength(1)
  })
  await pass(5 * MINUTE)
  reads[0]?.()
  await vi.waitFor(async () => expect(await stored.all()).toHaveLength(1))
  for (const read of reads) read()
  await pass(5 * MINUTE)
  expect(sink.sent).toHaveLength(2)
})

it('a notice whose failure cannot be stored causes a warning, and is tried again', async () => {
  const { sink, inbox, ask, pass, folder, clock } = await createOffice()
  const warnings: string[] = []
  const onWarning = ({ message }: { message: string }): void => void warnings.push(message)
  const stored = createSentNotices(folder, { onWarning })
  let isFull = true
  const sent = {
    ...stored,
    write: async (notice: SentNotice): Promise<void> => {
      if (isFull) throw new Error('No space left')
      await stored.write(notice)
    },
  }
  follow({ inbox, folder, clock, onWarning, sent, sinks: { chat: sink } })
  sink.failures.push(new AskError('FORBIDDEN', 'No route'))
  await ask('toolu_1')
  await vi.waitFor(() =>
    expect(warnings).toEqual([
      'Ada was not told by chat: No route',
      'Ada was not told, and that could not be stored, by chat: No space left',
    ]),
  )
  isFull = false
  await vi.waitFor(async () => {
    await pass(MINUTE)
    expect(await stored.all()).toHaveLength(1)
  })
  expect(sink.sent).toHaveLength(2)
})

it.each([
  ['is sent once', null, 1],
  ['that fails is tried once more', new Error('The service is away'), 2],
])('a notice under way while its sandbox leaves and comes back %s', async (_, failure, times) => {
  const { inbox, ask, pass, folder, clock } = await createOffice()
  await ask('toolu_1')
  const { questions } = await inbox.list()
  const [asked] = questions
  if (!asked) throw new Error('Nobody asks')
  const changes: InboxChange[] = [{ kind: 'question', ...asked }]
  const ending = new AbortController()
  async function* watch(): AsyncGenerator<InboxChange> {
    while (!ending.signal.aborted) {
      const change = changes.shift()
      if (change) yield change
      else await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const onWarning = (): void => {}
  const sent = createSentNotices(folder, { onWarning })
  const pending: { resolve(): void; reject(error: Error): void }[] = []
  const send = () =>
    new Promise<undefined>((resolve, reject) => pending.push({ resolve: () => resolve(undefined), reject }))
  follow({ inbox: { ...inbox, watch }, folder, clock, onWarning, sent, sinks: { chat: { send } } }, ending)
  await vi.waitFor(() => expect(pending).toHaveLength(1))
  const { sandboxId, sandboxName } = asked
  changes.push({ kind: 'removed', sandboxId, sandboxName }, { kind: 'question', ...asked })
  await vi.waitFor(() => expect(changes).toEqual([]))
  // Not so long that the notices lose their patience with the service.
  await pass(1)
  expect(pending).toHaveLength(1)
  if (failure) pending[0]?.reject(failure)
  else pending[0]?.resolve()
  await vi.waitFor(async () => {
    await pass(MINUTE)
    expect(pending).toHaveLength(times)
  })
  pending[1]?.resolve()
  await vi.waitFor(async () => expect(await sent.all()).toHaveLength(1))
  await pass(10 * MINUTE)
  expect(pending).toHaveLength(times)
})

it('a message is edited whose question has ended between the first look and the first word of the inbox', async () => {
  const { sink, inbox, ask, answer, pass, start, folder, clock } = await createOffice()
  const told = start({ people: { Ada: { addresses: { chat: 'ada' } } } })
  await ask('toolu_1')
  await vi.waitFor(() => expect(sink.sent).toHaveLength(1))
  const onWarning = (): void => {}
  const sent = createSentNotices(folder, { onWarning })
  await vi.waitFor(async () => expect(await sent.all()).toHaveLength(1))
  await told.end()
  let looks = 0
  const late: NoticesContext['inbox'] = {
    sandboxes: inbox.sandboxes,
    async find(question) {
      const found = await inbox.find(question)
      looks += 1
      if (looks === 1) await answer('toolu_1', 'Ben')
      return found
    },
    // Its first word comes when the question has ended.
    watch: ({ signal }) => neverUntil(signal),
  }
  follow({ inbox: late, folder, clock, onWarning, sent, sinks: { chat: sink } })
  await vi.waitFor(() => expect(looks).toBe(1))
  await vi.waitFor(async () => {
    await pass(MINUTE)
    expect(sink.settled).toMatchObject([{ ending: { state: 'answered', answeredBy: 'Ben' } }])
  })
})

async function* neverUntil(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}
