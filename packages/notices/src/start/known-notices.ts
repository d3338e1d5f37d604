import type { Clock } from '@sandagent/core'
import type { InboxQuestion } from '@sandagent/inbox'
import { questionKey } from '../notice.ts'
import type { NoticeRules } from '../rules/notice-rules.ts'
import { planOf } from '../rules/plan.ts'
import type { SentNotices } from '../sent/sent-notices.ts'
import type { PendingNotice } from './send-notice.ts'

/** What became of the notices about each question, also before a restart. */
export interface KnownNotices {
  /** The notices that the rules want for a question. */
  about(asked: InboxQuestion): PendingNotice[]
  /** Remembers what became of a notice. */
  note(asked: InboxQuestion, notice: PendingNotice): void
  forget(asked: InboxQuestion): void
  /** Lets notices that could not be sent wait for another try, once somebody has removed their files. */
  revive(asked: InboxQuestion, notices: readonly PendingNotice[]): Promise<void>
}

export async function knownNotices({
  people,
  rules,
  sent,
  clock,
}: NoticeRules & { sent: SentNotices; clock: Clock }): Promise<KnownNotices> {
  const known = new Map<string, Map<string, PendingNotice['state']>>()
  const set = (key: string, delivery: string, state: PendingNotice['state']): void =>
    void known.set(key, (known.get(key) ?? new Map()).set(delivery, state))
  for (const { question, subject, sink, failure } of await sent.all())
    set(question, deliveryOf({ sink, person: subject.person }), failure === undefined ? 'sent' : 'failed')
  return {
    about(asked) {
      const now = clock.now()
      // The sandbox's clock may be wrong.
      const askedAt = Math.min(Date.parse(asked.question.askedAt ?? '') || now, now)
      const states = known.get(questionKey(asked))
      return planOf(asked, { people, rules }).map((plan) => ({
        ...plan,
        state: states?.get(deliveryOf(plan)) ?? 'waits',
        dueAt: askedAt + plan.afterMs,
        tries: 0,
      }))
    },
    note: (asked, notice) => set(questionKey(asked), deliveryOf(notice), notice.state),
    forget: (asked) => void known.delete(questionKey(asked)),
    async revive(asked, notices) {
      const failed = notices.filter(({ state }) => state === 'failed')
      if (failed.length === 0) return
      const kept = (await sent.of(questionKey(asked))).map(({ sink, subject: { person } }) =>
        deliveryOf({ sink, person }),
      )
      for (const notice of failed)
        if (!kept.includes(deliveryOf(notice))) Object.assign(notice, { state: 'waits', tries: 0 })
    },
  }
}

const deliveryOf = ({ person, sink }: Pick<PendingNotice, 'person' | 'sink'>): string =>
  JSON.stringify([person.name, sink])
