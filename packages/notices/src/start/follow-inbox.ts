import { createWakeSignal, errorCode } from '@sandagent/core/internal'
import type { InboxChange, InboxQuestion } from '@sandagent/sdk/inbox'
import pLimit from 'p-limit'
import { questionKey } from '../notice.ts'
import { isQuiet } from '../rules/quiet-hours.ts'
import { knownNotices } from './known-notices.ts'
import type { Desk } from './notices-options.ts'
import { messageOf, type PendingNotice, sendNotice } from './send-notice.ts'
import { catchUp, endingOf, GONE, settleNotices } from './settle-notices.ts'

/** A question that waits, and the notices about it. */
interface Waiting {
  asked: InboxQuestion
  key: string
  notices: PendingNotice[]
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
  const known = await knownNotices(desk)

  const start = (task: () => Promise<void>): Promise<void> => {
    const running = task()
      .catch((error: unknown) => onWarning({ code: errorCode(error) ?? 'FAILED', message: messageOf(error) }))
      .finally(() => tasks.delete(running))
    tasks.add(running)
    return running
  }
  const tell = (asked: InboxQuestion): void => void start(async () => desk.onQuestion?.(asked))

  const end = ({ asked, key, sending }: Waiting, ending = GONE): void => {
    waiting.delete(placeOf(asked))
    settling.add(key)
    void start(async () => {
      await Promise.all(sending)
      await settleNotices(key, ending, desk).finally(() => settling.delete(key))
      known.forget(asked)
    })
  }

  const take = (change: InboxChange): void => {
    if (change.kind === 'reachable') void start(look)
    if (change.kind === 'removed')
      for (const [place, { asked }] of waiting)
        if (asked.sandboxId === change.sandboxId) waiting.delete(place)
    if (change.kind !== 'question') return
    const { kind, ...asked } = change
    const before = waiting.get(placeOf(asked))
    const key = questionKey(asked)
    const isSame = before?.key === key
    if (asked.question.state !== 'open') {
      if (!before) return
      end(before, isSame ? endingOf(asked.question) : GONE)
      tell(asked)
    } else if (isSame) before.asked = asked
    else {
      if (before) end(before)
      waiting.set(placeOf(asked), { asked, key, notices: known.about(asked), sending: new Set() })
      tell(asked)
      bell.ring()
    }
  }

  const send = (question: Waiting, notice: PendingNotice): void => {
    notice.state = 'under-way'
    const isOver = (): boolean => waiting.get(placeOf(question.asked)) !== question || signal.aborted
    const sending = start(async () => {
      await limits.get(notice.sink)?.(async () => {
        if (isOver()) return
        Object.assign(notice, await sendNotice(question.asked, notice, desk))
        notice.tries += 1
      })
      if (notice.state === 'sent' || notice.state === 'failed') known.note(question.asked, notice)
      bell.ring()
    }).finally(() => question.sending.delete(sending))
    question.sending.add(sending)
  }

  const revive = async (): Promise<void> => {
    for (const { asked, notices } of waiting.values()) await known.revive(asked, notices)
    bell.ring()
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
      for (const notice of question.notices) {
        if (notice.state !== 'waits') continue
        if (notice.dueAt > now) next = Math.min(next, notice.dueAt)
        else if (!notice.quietHours || !isQuiet(notice.quietHours, now)) send(question, notice)
      }
    }
    return next
  }

  const look = (): Promise<void> =>
    catchUp((key) => settling.has(key) || [...waiting.values()].some((each) => each.key === key), desk)

  const work = async (): Promise<void> => {
    const hasFailed = (): boolean =>
      [...waiting.values()].some(({ notices }) => notices.some(({ state }) => state === 'failed'))
    const lookedAt = { caughtUp: Number.NEGATIVE_INFINITY, revived: clock.now() }
    while (!signal.aborted) {
      const now = clock.now()
      if (now - lookedAt.caughtUp >= CATCH_UP_MS) {
        lookedAt.caughtUp = now
        void start(look)
      }
      if (now - lookedAt.revived >= LOOK_MS) {
        lookedAt.revived = now
        if (hasFailed()) void start(revive)
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

const placeOf = ({ sandboxId, question }: InboxQuestion): string =>
  JSON.stringify([sandboxId, question.toolCallId])
