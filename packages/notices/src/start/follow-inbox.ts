import { createWakeSignal, errorCode } from '@sandagent/core/internal'
import type { InboxChange, InboxQuestion } from '@sandagent/sdk/inbox'
import pLimit from 'p-limit'
import { questionKey } from '../notice.ts'
import { planOf } from '../rules/plan.ts'
import { isQuiet } from '../rules/quiet-hours.ts'
import type { Desk } from './notices-options.ts'
import { messageOf, type PendingNotice, sendNotice } from './send-notice.ts'
import { catchUp, endingOf, GONE, settleNotices } from './settle-notices.ts'

/** A question that waits, and the notices about it that were not sent yet. */
interface Waiting {
  asked: InboxQuestion
  key: string
  pending: Set<PendingNotice>
  /** The messages that are under way. */
  sending: Set<Promise<void>>
}

/** How many messages a sink sends at once. */
const AT_ONCE = 4

/** How many questions of one sandbox have notices at once: the agents in it may ask thousands. */
const MOST_PER_SANDBOX = 50

/** The longest sleep, in milliseconds: quiet hours end, and machines wake up, without a sign. */
const LOOK_MS = 60_000

/** How often what was sent is compared with what is asked, in milliseconds. */
const CATCH_UP_MS = 60 * 60_000

/** Sends and settles notices until the signal aborts. Nothing is under way afterwards. */
export async function followInbox(given: Desk): Promise<void> {
  const leaving = new AbortController()
  const desk: Desk = { ...given, signal: AbortSignal.any([given.signal, leaving.signal]) }
  const { inbox, sinks, clock, signal, onWarning } = desk
  const waiting = new Map<string, Waiting>()
  const settling = new Set<string>()
  const limits = new Map(Object.keys(sinks).map((name) => [name, pLimit(AT_ONCE)]))
  const bell = createWakeSignal(signal)
  const tasks = new Set<Promise<void>>()
  /** The notices that were sent or given up, by the keys of their questions. */
  const done = new Map<string, Set<string>>()
  const note = (key: string, { person, sink }: Pick<PendingNotice, 'person' | 'sink'>): void =>
    void done.set(key, (done.get(key) ?? new Set()).add(deliveryOf(person.name, sink)))
  for (const { question, subject, sink } of await desk.sent.all())
    note(question, { person: subject.person, sink })

  const start = (task: () => Promise<void>): Promise<void> => {
    const running = task()
      .catch((error: unknown) => onWarning({ code: errorCode(error) ?? 'FAILED', message: messageOf(error) }))
      .finally(() => tasks.delete(running))
    tasks.add(running)
    return running
  }
  const tell = (asked: InboxQuestion): void => void start(async () => desk.onQuestion?.(asked))

  const open = (asked: InboxQuestion): Waiting => {
    const now = clock.now()
    // The sandbox's clock may be wrong.
    const askedAt = Math.min(Date.parse(asked.question.askedAt ?? '') || now, now)
    const key = questionKey(asked)
    const pending = planOf(asked, desk)
      .filter(({ person, sink }) => !done.get(key)?.has(deliveryOf(person.name, sink)))
      .map((plan) => ({ ...plan, dueAt: askedAt + plan.afterMs, tries: 0, isUnderWay: false }))
    return { asked, key, pending: new Set(pending), sending: new Set() }
  }

  const end = ({ asked, key, sending }: Waiting, ending = GONE): void => {
    waiting.delete(placeOf(asked))
    settling.add(key)
    void start(async () => {
      await Promise.all(sending)
      await settleNotices(key, ending, desk).finally(() => settling.delete(key))
      done.delete(key)
    })
  }

  const take = (change: InboxChange): void => {
    if (change.kind === 'reachable') void start(look)
    if (change.kind === 'removed')
      for (const [place, { asked }] of waiting)
        if (asked.sandboxId === change.sandboxId) waiting.delete(place)
    if (change.kind !== 'question') return
    const { kind, ...asked } = change
    const known = waiting.get(placeOf(asked))
    const isSame = known?.key === questionKey(asked)
    if (asked.question.state !== 'open') {
      if (!known) return
      end(known, isSame ? endingOf(asked.question) : GONE)
      tell(asked)
    } else if (isSame && known) known.asked = asked
    else {
      if (known) end(known)
      waiting.set(placeOf(asked), open(asked))
      tell(asked)
      bell.ring()
    }
  }

  const send = (question: Waiting, notice: PendingNotice): void => {
    notice.isUnderWay = true
    const sending = start(async () => {
      const isOver = (): boolean => waiting.get(placeOf(question.asked)) !== question || signal.aborted
      const limit = limits.get(notice.sink)
      const nextTry = await limit?.(async () =>
        isOver() ? undefined : sendNotice(question.asked, notice, desk),
      )
      if (nextTry === undefined) return
      if (nextTry === null) {
        question.pending.delete(notice)
        note(question.key, notice)
        return
      }
      Object.assign(notice, { dueAt: nextTry, tries: notice.tries + 1, isUnderWay: false })
      bell.ring()
    }).finally(() => question.sending.delete(sending))
    question.sending.add(sending)
  }

  /** Sends what is due. Returns when to look again. */
  const sendDue = (): number => {
    const now = clock.now()
    let next = now + LOOK_MS
    const ofSandbox = new Map<string, number>()
    for (const question of waiting.values()) {
      const { sandboxId } = question.asked
      const count = (ofSandbox.get(sandboxId) ?? 0) + 1
      ofSandbox.set(sandboxId, count)
      if (count > MOST_PER_SANDBOX) continue
      for (const notice of question.pending) {
        if (notice.isUnderWay) continue
        if (notice.dueAt > now) next = Math.min(next, notice.dueAt)
        else if (!notice.quietHours || !isQuiet(notice.quietHours, now)) send(question, notice)
      }
    }
    return next
  }

  const look = (): Promise<void> =>
    catchUp((key) => settling.has(key) || [...waiting.values()].some((each) => each.key === key), desk)

  const work = async (): Promise<void> => {
    let caughtUpAt = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      if (clock.now() - caughtUpAt >= CATCH_UP_MS) {
        caughtUpAt = clock.now()
        void start(look)
      }
      const cancelTimer = clock.after(sendDue() - clock.now(), bell.ring)
      await bell.sleep()
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

const deliveryOf = (person: string, sink: string): string => JSON.stringify([person, sink])

const placeOf = ({ sandboxId, question }: InboxQuestion): string =>
  JSON.stringify([sandboxId, question.toolCallId])
