import { AskError } from '@sandagent/core/internal'
import type { InboxQuestion } from '@sandagent/inbox'
import { type NoticeSubject, noticeId, questionKey } from '../notice.ts'
import type { PlannedNotice } from '../rules/plan.ts'
import type { SentNotice } from '../sent/sent-notices.ts'
import { failureOf, reasonOf, waitAfter, withTimeout } from './delivery.ts'
import type { NoticesContext } from './notices-options.ts'
import type { Slot } from './slots.ts'

export interface PendingNotice extends PlannedNotice {
  /** `waits`: for its time, or for another try. */
  state: 'waits' | 'under-way' | 'sent' | 'failed'
  /** Milliseconds since 1970. */
  dueAt: number
  /** How many tries have failed. */
  tries: number
}

/** What holds a notice back. */
interface SendLimits {
  inSandbox: Slot
  inSink: Slot
  /** Whether the question no longer waits. */
  isOver(): boolean
  /** Until when its person has been told enough; `null` if not. */
  fullUntil(): number | null
}

/** When to look again at a question that seems to have ended, in milliseconds. */
const LATER_MS = 60_000

/**
 * Sends a notice, and stores that it was sent. After the last try it stores that it could not be sent.
 *
 * @returns what became of the notice. It waits again if another try may work, or if the signal has aborted.
 */
export async function sendNotice(
  asked: InboxQuestion,
  { sink, person, isTextAllowed, tries }: PendingNotice,
  context: Pick<NoticesContext, 'sinks' | 'sent' | 'linkFor' | 'onWarning' | 'clock' | 'signal'>,
  { inSandbox, inSink, isOver, fullUntil }: SendLimits,
): Promise<Pick<PendingNotice, 'state' | 'dueAt'> & { tries?: number }> {
  const { sent, clock, signal, onWarning } = context
  const { sandboxId, sandboxName, question } = asked
  const { toolCallId } = question
  const subject: NoticeSubject = {
    id: noticeId(asked, person.name),
    sandboxId,
    sandboxName,
    toolCallId,
    person,
  }
  const store = (more: Pick<SentNotice, 'message' | 'failure'>): Promise<void> =>
    sent.write({
      subject,
      sink,
      question: questionKey(asked),
      at: new Date(clock.now()).toISOString(),
      ...more,
    })
  const say = (error: unknown, what: string): void =>
    onWarning(failureOf(error, `${person.name} ${what} by ${sink}`, toolCallId))
  const now = (state: PendingNotice['state']) => ({ state, dueAt: clock.now() })
  try {
    const link = await inSandbox(async () =>
      isOver() ? null : withTimeout(() => linkOf(subject, context), context),
    )
    if (link === null) return { state: 'waits', dueAt: clock.now() + LATER_MS }
    const notice = { ...subject, question, ...(link !== undefined && { link }), isTextAllowed }
    return await inSink(async () => {
      if (isOver()) return now('waits')
      const full = fullUntil()
      if (full !== null) return { state: 'waits', dueAt: full }
      const message = await withTimeout(
        async (timeout) => context.sinks[sink]?.send(notice, { signal: timeout }),
        context,
      )
      await store({ ...(message !== undefined && { message }) }).catch((error: unknown) =>
        say(error, 'was told, which could not be stored,'),
      )
      return now('sent')
    })
  } catch (error) {
    if (signal.aborted) return now('waits')
    const wait = waitAfter(error, tries + 1)
    if (wait !== null) {
      if (tries === 0) say(error, 'could not be told at the first try')
      return { state: 'waits', dueAt: clock.now() + wait, tries: tries + 1 }
    }
    say(error, 'was not told')
    // A failure without a file is tried again, as if somebody had removed the file.
    await store({ failure: reasonOf(error) }).catch((why: unknown) =>
      say(why, 'was not told, and that could not be stored,'),
    )
    return now('failed')
  }
}

/** `null` for a question that has ended meanwhile. */
const linkOf = async (
  subject: NoticeSubject,
  { linkFor }: Pick<NoticesContext, 'linkFor'>,
): Promise<string | undefined | null> => {
  try {
    return await linkFor?.(subject)
  } catch (error) {
    if (error instanceof AskError && ['GONE', 'NOT_FOUND'].includes(error.code)) return null
    throw error
  }
}
