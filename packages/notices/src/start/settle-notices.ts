import { AskError, type QuestionView, sleep } from '@sandagent/core/internal'
import { type NoticeEnding, questionKey } from '../notice.ts'
import type { SentNotice } from '../sent/sent-notices.ts'
import { waitAfter, withPatience } from './delivery.ts'
import type { Desk } from './notices-options.ts'
import { messageOf } from './send-notice.ts'

type SettlingDesk = Pick<Desk, 'inbox' | 'sinks' | 'sent' | 'onWarning' | 'clock' | 'signal'>

export const GONE: NoticeEnding = { state: 'gone' }

export function endingOf({ state, declined, answeredBy }: QuestionView): NoticeEnding {
  const by = answeredBy === undefined ? {} : { answeredBy }
  if (state === 'open') return GONE
  return { state: state === 'sent' ? (declined ? 'declined' : 'answered') : state, ...by }
}

/** Tells the sinks that a question has ended, and forgets what was sent about it. What could not be sent stays. */
export async function settleNotices(key: string, ending: NoticeEnding, desk: SettlingDesk): Promise<void> {
  const notices = (await desk.sent.of(key)).filter(({ failure }) => failure === undefined)
  await Promise.all(
    notices.map(async (notice) => {
      await settle(notice, ending, desk)
      if (!desk.signal.aborted) await desk.sent.remove(notice)
    }),
  )
}

async function settle({ subject, sink, message }: SentNotice, ending: NoticeEnding, desk: SettlingDesk) {
  const { sinks, clock, signal, onWarning } = desk
  for (let tries = 1; !signal.aborted; tries++) {
    try {
      await withPatience(
        async (patience) => sinks[sink]?.settle?.(subject, message, ending, { signal: patience }),
        desk,
      )
      return
    } catch (error) {
      const wait = waitAfter(error, tries)
      if (wait !== null) await sleep(clock, wait, signal)
      else {
        const code = error instanceof AskError ? error.code : 'FAILED'
        const what = `The notice for ${subject.person.name} by ${sink} still says that the question waits`
        onWarning({ code, message: `${what}: ${messageOf(error)}`, toolCallId: subject.toolCallId })
        return
      }
    }
  }
}

/** How long what was sent is kept for sandboxes that the inbox does not have, and what could not be sent, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60_000

/** Settles the notices of questions that ended while nobody looked, and forgets old ones. `isKnown` says which wait. */
export async function catchUp(isKnown: (key: string) => boolean, desk: SettlingDesk): Promise<void> {
  const { inbox, sent, clock } = desk
  const sandboxes = new Set((await inbox.sandboxes()).map(({ id }) => id))
  const all = await sent.all()
  for (const notice of all) if (clock.now() - Date.parse(notice.at) > KEPT_MS) await sent.remove(notice)
  const open = new Map(
    all.filter(({ failure }) => failure === undefined).map((each) => [each.question, each]),
  )
  for (const [key, { subject }] of open) {
    if (desk.signal.aborted) return
    if (!sandboxes.has(subject.sandboxId) || isKnown(key)) continue
    const { toolCallId, sandboxId } = subject
    try {
      const asked = await inbox.find({ toolCallId, sandboxId })
      const isSame = questionKey(asked) === key
      if (!isSame || asked.question.state !== 'open')
        await settleNotices(key, isSame ? endingOf(asked.question) : GONE, desk)
    } catch (error) {
      if (error instanceof AskError && error.code === 'NOT_FOUND') await settleNotices(key, GONE, desk)
      else if (!(error instanceof AskError) || error.code !== 'UNREACHABLE') throw error
    }
  }
}
