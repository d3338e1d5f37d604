import { AskError } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import type { NoticeSettings } from '../../src/settings/settings.ts'
import { type TriedSink, trySinks } from '../../src/settings/try-sinks.ts'
import { keepingSink } from '../start/office.ts'

const silence = () => new Promise<never>(() => {})

async function tried(sinks: NoticeSettings['sinks'], options: Parameters<typeof trySinks>[1]) {
  const addresses = Object.fromEntries(Object.keys(sinks).map((name) => [name, true as const]))
  const found: TriedSink[] = []
  for await (const each of trySinks({ people: { Ada: { addresses } }, sinks }, options)) found.push(each)
  return found
}

it('a trial says which sink has not replied, and which message is not closed', async () => {
  const clock = createFakeClock()
  const refusing = async () => {
    throw new AskError('FORBIDDEN', 'No such message')
  }
  const trial = tried(
    {
      silent: { ...keepingSink(), send: silence },
      open: { ...keepingSink(), settle: refusing },
      chat: keepingSink(),
    },
    { clock, signal: new AbortController().signal },
  )
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  clock.advance(30_000)
  expect(await trial).toEqual([
    { person: 'Ada', sink: 'silent', failure: 'It has not replied within 30 s' },
    { person: 'Ada', sink: 'open', failure: 'It was sent, but not closed: No such message' },
    { person: 'Ada', sink: 'chat' },
  ])
})

it('a trial ends when its signal aborts', async () => {
  const ending = new AbortController()
  const send = vi.fn(silence)
  const trial = tried({ silent: { ...keepingSink(), send } }, { signal: ending.signal })
  await vi.waitFor(() => expect(send).toHaveBeenCalled())
  ending.abort()
  expect(await trial).toEqual([])
})
