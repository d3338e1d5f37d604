import { AskError } from '@sandagent/core/internal'
import { endingOf, GONE } from '../lib/ending-of.ts'
import { type NoticeEnding, type NoticeSubject, questionKey } from '../notice.ts'
import type { NoticesContext } from './notices-options.ts'

export type QuestionPlace = Pick<NoticeSubject, 'sandboxId' | 'toolCallId'>

type CatchUpContext = Pick<NoticesContext, 'clock' | 'signal'> & {
  inbox: Pick<NoticesContext['inbox'], 'sandboxes' | 'find'>
  sent: Pick<NoticesContext['sent'], 'all' | 'remove'>
}

/** How long what was sent is kept for sandboxes that the inbox does not have, and what could not be sent, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60_000

/** After how many questions without a reply the others of their sandbox wait for the next look. */
const MOST_SILENT = 3

/**
 * Finds questions that ended while nobody looked: among those that wait, and those with notices. Forgets old notices.
 *
 * @returns the keys of those that still wait
 */
export async function catchUp(
  waiting: ReadonlyMap<string, QuestionPlace>,
  onEnded: (key: string, ending: NoticeEnding) => void,
  { inbox, sent, clock, signal }: CatchUpContext,
): Promise<string[]> {
  const stillWaiting: string[] = []
  const sandboxes = new Set((await inbox.sandboxes()).map(({ id }) => id))
  const places = new Map(waiting)
  for (const notice of await sent.all()) {
    if (clock.now() - Date.parse(notice.at) > KEPT_MS) await sent.remove(notice)
    if (notice.failure === undefined) places.set(notice.question, notice.subject)
  }
  const silent = new Map<string, number>()
  for (const [key, { sandboxId, toolCallId }] of places) {
    if (signal.aborted) break
    const misses = silent.get(sandboxId) ?? 0
    if (!sandboxes.has(sandboxId) || misses >= MOST_SILENT) continue
    try {
      const asked = await inbox.find({ toolCallId, sandboxId })
      if (questionKey(asked) !== key) onEnded(key, GONE)
      else if (asked.question.state === 'open') stillWaiting.push(key)
      else onEnded(key, endingOf(asked.question))
    } catch (error) {
      if (error instanceof AskError && error.code === 'NOT_FOUND') {
        // The sandbox itself may have gone meanwhile. Its questions still wait.
        if ((await inbox.sandboxes()).some(({ id }) => id === sandboxId)) onEnded(key, GONE)
      } else if (!(error instanceof AskError) || error.code !== 'UNREACHABLE') throw error
      else silent.set(sandboxId, misses + 1)
    }
  }
  return stillWaiting
}
