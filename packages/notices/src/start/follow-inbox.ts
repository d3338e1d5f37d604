// Why it is so: docs/decisions/0082-notices-follow-from-what-waits.md

import { createWakeSignal } from '@sandagent/core/internal'
import type { InboxChange, InboxQuestion } from '@sandagent/inbox'
import pLimit from 'p-limit'
import { endingOf, GONE } from '../lib/ending-of.ts'
import { type NoticeEnding, noticeId, questionKey } from '../notice.ts'
import { planOf } from '../rules/plan.ts'
import { isQuiet } from '../rules/quiet-hours.ts'
import type { SentNotice } from '../sent/sent-notices.ts'
import { catchUp, type QuestionPlace } from './catch-up.ts'
import { failureOf } from './delivery.ts'
import { createHourlyLimit } from './hourly-limit.ts'
import type { NoticesContext } from './notices-options.ts'
import { type PendingNotice, sendNotice } from './send-notice.ts'
import { settleNotices } from './settle-notices.ts'
import { createSlots } from './slots.ts'
import { createWaitingQuestions, type Waiting } from './waiting-questions.ts'

/** How many messages a sink sends at once, how many it edits, and how many links one sandbox makes. */
const AT_ONCE = 4

/** How many questions of one sandbox have notices at once: the agents in it may ask thousands. */
const MOST_PER_SANDBOX = 50

/** How often one sandbox is told to one person by one sink in an hour: its agents may ask and stop asking all the time. */
const MOST_PER_HOUR = 60

/** The longest sleep, in milliseconds: quiet hours end, and machines wake up, without a sign. */
const LOOK_MS = 60_000

/** How often what was sent is compared with what is asked, in milliseconds. */
const CATCH_UP_MS = 60 * 60_000

/** Sends and settles notices until the signal aborts. Nothing is under way afterwards. */
export async function followInbox(given: NoticesContext): Promise<void> {
  const leaving = new AbortController()
  const context: NoticesContext = { ...given, signal: AbortSignal.any([given.signal, leaving.signal]) }
  const { inbox, sent, clock, signal, onWarning } = context
  const waiting = createWaitingQuestions()
  const settling = new Set<string>()
  const inSandbox = createSlots(AT_ONCE)
  const inSink = createSlots(AT_ONCE)
  const inEndingSink = createSlots(AT_ONCE)
  const oneLook = pLimit(1)
  const oneRevival = pLimit(1)
  const hourly = createHourlyLimit(MOST_PER_HOUR, context)
  const wakeSignal = createWakeSignal(signal)
  const tasks = new Set<Promise<void>>()
  let caughtUpAt = Number.NEGATIVE_INFINITY

  const start = (task: () => Promise<void>): Promise<void> => {
    const running = task()
      .catch((error: unknown) => onWarning(failureOf(error)))
      .finally(() => tasks.delete(running))
    tasks.add(running)
    return running
  }
  const tell = (asked: InboxQuestion): void => void start(async () => context.onQuestion?.(asked))

  const sentBefore = ({ asked, key }: Waiting, { person, sink }: Pick<PendingNotice, 'person' | 'sink'>) =>
    sent.find({ question: key, subject: { id: noticeId(asked, person.name) }, sink })

  /** The notices that the rules want for a question. What became of them before a restart is read from their files. */
  const begin = async (question: Waiting): Promise<void> => {
    const now = clock.now()
    // The sandbox's clock may be wrong.
    const askedAt = Math.min(Date.parse(question.asked.question.askedAt ?? '') || now, now)
    const notices = planOf(question.asked, context).map(
      async (plan): Promise<PendingNotice> => ({
        ...plan,
        state: stateOf(await sentBefore(question, plan)),
        dueAt: askedAt + plan.afterMs,
        tries: 0,
      }),
    )
    question.notices = await Promise.all(notices)
    if (notices.length > 0) wakeSignal.ring()
  }

  const settle = (key: string, ending: NoticeEnding, sending: Iterable<Promise<void>> = []): void => {
    if (settling.has(key)) return
    settling.add(key)
    void start(async () => {
      await Promise.all(sending)
      await settleNotices(key, ending, { ...context, inSink: inEndingSink }).finally(() =>
        settling.delete(key),
      )
    })
  }

  const end = (question: Waiting, ending = GONE): void => {
    waiting.remove(question)
    settle(question.key, ending, question.sending)
  }

  const leave = (question: Waiting): void => {
    question.isAway = true
    if (question.sending.size === 0) waiting.remove(question)
  }

  const take = (change: InboxChange): void => {
    if (change.kind === 'reachable') void start(look)
    if (change.kind === 'removed') for (const question of waiting.of(change.sandboxId)) leave(question)
    if (change.kind !== 'question') return
    const { kind, ...asked } = change
    const before = waiting.find(asked)
    const key = questionKey(asked)
    if (asked.question.state !== 'open') {
      if (!before) return
      end(before, before.key === key ? endingOf(asked.question) : GONE)
      tell(asked)
    } else if (before?.key === key) {
      if (before.isAway) tell(asked)
      Object.assign(before, { asked, isAway: false })
      wakeSignal.ring()
    } else {
      if (before) end(before)
      const question: Waiting = { asked, key, notices: null, sending: new Set(), isAway: false }
      waiting.add(question)
      void start(() => begin(question))
      tell(asked)
    }
  }

  const send = (question: Waiting, notice: PendingNotice): void => {
    notice.state = 'under-way'
    const { asked } = question
    const { person, sink } = notice
    const isOver = (): boolean => waiting.find(asked) !== question || question.isAway || signal.aborted
    const onFull = (): void => {
      const what = `${asked.sandboxName} has told ${person.name} ${MOST_PER_HOUR} times by ${sink} within an hour`
      onWarning({
        code: 'RATE_LIMITED',
        message: `${what}. What still waits when the hour is over is told then`,
      })
    }
    const limits = {
      inSandbox: inSandbox(asked.sandboxId),
      inSink: inSink(sink),
      isOver,
      fullUntil: () =>
        notice.tries > 0 ? null : hourly(JSON.stringify([asked.sandboxId, person.name, sink]), onFull),
    }
    const sending = start(async () => {
      Object.assign(notice, await sendNotice(question.asked, notice, context, limits))
      wakeSignal.ring()
    }).finally(() => {
      question.sending.delete(sending)
      if (question.isAway) leave(question)
    })
    question.sending.add(sending)
  }

  /** Lets notices that could not be sent wait for another try, once somebody has removed their files. */
  const revive = async (): Promise<void> => {
    for (const question of waiting.all())
      for (const notice of (question.notices ?? []).filter(({ state }) => state === 'failed'))
        if (!(await sentBefore(question, notice))) Object.assign(notice, { state: 'waits', tries: 0 })
    wakeSignal.ring()
  }

  /** Sends what is due. Returns when to look again. */
  const sendDue = (): number => {
    const now = clock.now()
    let next = now + LOOK_MS
    for (const questions of waiting.bySandbox()) {
      let count = 0
      for (const question of questions) {
        const { notices, isAway } = question
        if (notices?.length === 0 || isAway) continue
        // One whose notices are not known yet has its place, or a later one would take it beside it.
        count += 1
        if (count > MOST_PER_SANDBOX) break
        for (const notice of notices ?? []) {
          if (notice.state !== 'waits') continue
          if (notice.dueAt > now) next = Math.min(next, notice.dueAt)
          else if (!notice.quietHours || !isQuiet(notice.quietHours, now)) send(question, notice)
        }
      }
    }
    return next
  }

  const onEnded = (key: string, ending: NoticeEnding): void => {
    const found = waiting.all().find((each) => each.key === key)
    if (!found) settle(key, ending)
    // The inbox itself says what else has become of a question that waits.
    else if (ending.state === 'gone') end(found)
  }

  /** One look runs at a time, and one more waits. */
  const look = async (): Promise<void> => {
    if (oneLook.pendingCount > 0) return
    await oneLook(async () => {
      if (signal.aborted) return
      const places = waiting
        .all()
        .map(({ key, asked: { sandboxId, question } }): [string, QuestionPlace] => [
          key,
          { sandboxId, toolCallId: question.toolCallId },
        ])
      const open = await catchUp(new Map(places), onEnded, context)
      const known = new Set(waiting.all().map(({ key }) => key))
      // The inbox has not told of it yet, and would not tell that it has ended before.
      if (open.some((key) => !known.has(key))) caughtUpAt = clock.now() + LOOK_MS - CATCH_UP_MS
    })
  }

  const work = async (): Promise<void> => {
    let revivedAt = clock.now()
    while (!signal.aborted) {
      const now = clock.now()
      if (now - caughtUpAt >= CATCH_UP_MS) {
        caughtUpAt = now
        void start(look)
      }
      if (now - revivedAt >= LOOK_MS) {
        revivedAt = now
        // A slow one holds old states, and would send again what the next one has sent.
        if (oneRevival.activeCount === 0) void start(() => oneRevival(revive))
      }
      const cancelTimer = clock.after(sendDue() - clock.now(), wakeSignal.ring)
      await wakeSignal.sleep()
      cancelTimer()
    }
  }

  const working = work()
  try {
    for await (const change of inbox.watch({ signal })) take(change)
  } finally {
    leaving.abort()
    await working
    while (tasks.size > 0) await Promise.all(tasks)
  }
}

const stateOf = (sent: SentNotice | undefined): PendingNotice['state'] =>
  sent === undefined ? 'waits' : sent.failure === undefined ? 'sent' : 'failed'
