import type { RunnerChannel } from '@sandagent/core'
import type { OpenRecord } from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createInbox, type Inbox } from '@sandagent/inbox'
import { LocalSandbox } from '@sandagent/sdk'
import { createFakeClock, type FakeClock, openRecord } from '@sandagent/testing'
import { expect, onTestFinished, vi } from 'vitest'
import type { Notice, NoticeEnding, NoticeSink, SentMessage } from '../../src/notice.ts'
import type { NoticesOptions } from '../../src/start/notices-options.ts'
import { startNotices } from '../../src/start/start-notices.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

/** A sink that keeps what it is given, and fails as `failures` says. */
export interface KeepingSink extends NoticeSink {
  sent: Notice[]
  settled: { id: string; message: SentMessage | undefined; ending: NoticeEnding }[]
  /** Errors of the next calls of `send`. */
  failures: Error[]
}

export function keepingSink(): KeepingSink {
  const sink: KeepingSink = {
    sent: [],
    settled: [],
    failures: [],
    async send(notice) {
      sink.sent.push(notice)
      const failure = sink.failures.shift()
      if (failure) throw failure
      return { number: sink.sent.length }
    },
    async settle({ id }, message, ending) {
      sink.settled.push({ id, message, ending })
    },
  }
  return sink
}

/** A folder in which agents ask, its inbox, and notices about it by a clock that stands still. */
export interface Office {
  clock: FakeClock
  inbox: Inbox
  sink: KeepingSink
  warnings: string[]
  folder: string
  /** The folder of the shop, in which the agents ask. */
  workdir: string
  shop: RunnerChannel
  /** Starts notices. They end with the test, or when the returned function is called. */
  start(options: Partial<NoticesOptions> & Pick<NoticesOptions, 'people'>): { end(): Promise<void> }
  ask(toolCallId: string, more?: Partial<OpenRecord>): Promise<void>
  answer(toolCallId: string, answeredBy?: string): Promise<void>
  /** Lets time pass, minute by minute. */
  pass(ms: number): Promise<void>
  /** Waits until the notices know this question. */
  seen(toolCallId: string): Promise<void>
}

export async function createOffice(): Promise<Office> {
  const clock = createFakeClock()
  const sink = keepingSink()
  const warnings: string[] = []
  const known = new Set<string>()
  const folder = await tempDir()
  const workdir = await tempDir()
  const sandboxes = [{ id: 'shop', name: 'The shop', sandbox: new LocalSandbox({ workdir }) }]
  const inbox = createInbox({ sandboxes, signingKeys: null, onWarning: () => {} })
  const shop = createFileRunnerChannel({ workdir })
  return {
    clock,
    inbox,
    sink,
    warnings,
    folder,
    workdir,
    shop,
    start(options) {
      const ending = new AbortController()
      const ended = startNotices({
        inbox,
        sinks: { chat: sink },
        folder,
        clock,
        onWarning: ({ message }) => void warnings.push(message),
        signal: ending.signal,
        ...options,
        async onQuestion(asked) {
          known.add(`${asked.question.toolCallId} ${asked.question.state}`)
          await options.onQuestion?.(asked)
        },
      })
      const end = async (): Promise<void> => {
        ending.abort()
        await ended
        known.clear()
      }
      onTestFinished(end)
      return { end }
    },
    async ask(toolCallId, more) {
      await shop.open(openRecord(toolCallId, { askedAt: new Date(clock.now()).toISOString(), ...more }))
    },
    async answer(toolCallId, answeredBy) {
      const responses = { q1: { selected: ['A'], source: 'human' as const } }
      await inbox.submit('shop', { toolCallId, status: 'completed', responses }, { answeredBy })
    },
    async pass(ms) {
      for (let left = ms; left > 0; left -= MINUTE) {
        clock.advance(Math.min(left, MINUTE))
        // What a timer has woken runs before the next one.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    seen: (toolCallId) =>
      vi.waitFor(() => expect([...known]).toContainEqual(expect.stringContaining(toolCallId))),
  }
}
