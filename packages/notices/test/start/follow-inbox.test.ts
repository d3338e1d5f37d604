import { AskError } from '@sandagent/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { retryFailedNotices } from '../../src/sent/failed-notices.ts'
import { createSentNotices } from '../../src/sent/sent-notices.ts'
import { followInbox } from '../../src/start/follow-inbox.ts'
import { createOffice, MINUTE } from './office.ts'

it('a notice that somebody has asked for again is sent once, however slow its folder is', async () => {
  const { sink, inbox, ask, pass, folder, clock } = await createOffice()
  const onWarning = (): void => {}
  const stored = createSentNotices(folder, { onWarning })
  const reads: (() => void)[] = []
  const slow = {
    ...stored,
    async of(question: string) {
      const found = await stored.of(question)
      await new Promise<void>((resolve) => reads.push(resolve))
      return found
    },
  }
  const ending = new AbortController()
  const given = { inbox, folder, clock, onWarning, sent: slow, signal: ending.signal }
  const people = { Ada: { addresses: { chat: 'ada' } } }
  const following = followInbox({ ...given, people, sinks: { chat: sink } })
  onTestFinished(async () => {
    ending.abort()
    await following
  })
  sink.failures.push(new AskError('FORBIDDEN', 'No route'))
  await ask('toolu_1')
  await vi.waitFor(async () => expect(await stored.all()).toHaveLength(1))
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
