import { randomBytes } from 'node:crypto'
import { type Clock, checkOptions, type QuestionView, systemClock } from '@sandagent/core/internal'
import pLimit from 'p-limit'
import type { Notice } from '../notice.ts'
import { type PlannedNotice, planOf } from '../rules/plan.ts'
import { reasonOf, withTimeout } from '../start/delivery.ts'
import type { NoticeSettings } from './settings.ts'

/** What came of one notice of a trial. */
export interface TriedSink {
  person: string
  sink: string
  /** Absent if it was sent. */
  failure?: string
}

/** How many notices are tried at once, so that one sink that does not reply holds up few others. */
const AT_ONCE = 8

/** Sends one notice to everybody by every sink, and closes it. Nobody waits for an answer. Ends when the signal aborts. */
export async function* trySinks(
  { people, sinks }: NoticeSettings,
  options: { signal: AbortSignal; clock?: Clock },
): AsyncGenerator<TriedSink> {
  checkOptions('trySinks: its options', options, { signal: 'signal', clock: 'clock' })
  const { signal, clock = systemClock } = options
  const toolCallId = `test-${randomBytes(8).toString('hex')}`
  const question: QuestionView = {
    toolCallId,
    kind: 'question',
    state: 'open',
    questions: [{ id: 'q1', question: 'This is a test of notices. Nobody waits for an answer.' }],
    responses: {},
    revision: 0,
    declined: false,
    deadline: null,
    remainingMs: null,
  }
  const asked = { sandboxId: 'test', sandboxName: 'a test of notices', question }
  const tryOne = async ({ person, sink: name }: PlannedNotice): Promise<TriedSink> => {
    const id = randomBytes(16).toString('hex')
    const notice: Notice = { ...asked, id, toolCallId, person, isTextAllowed: true }
    const sink = sinks[name]
    const tried = { person: person.name, sink: name }
    let failed = ''
    try {
      signal.throwIfAborted()
      const within = { clock, signal }
      const message = await withTimeout(async (timeout) => sink?.send(notice, { signal: timeout }), within)
      failed = 'It was sent, but not closed: '
      const ending = { state: 'aborted' as const }
      await withTimeout(
        async (timeout) => sink?.settle?.(notice, message, ending, { signal: timeout }),
        within,
      )
      return tried
    } catch (error) {
      return { ...tried, failure: failed + reasonOf(error) }
    }
  }
  const limit = pLimit(AT_ONCE)
  for (const trial of planOf(asked, { people }).map((plan) => limit(tryOne, plan))) {
    const tried = await trial
    if (signal.aborted) return
    yield tried
  }
}
