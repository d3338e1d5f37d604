import { holdsUpWork } from '@sandagent/core/internal'
import type { InboxStatistics, Waits } from '@sandagent/inbox'
import type { ReactElement } from 'react'
import { STATISTICS_URL } from '../data/api.ts'
import type { WaitingEntry } from '../data/inbox-state.ts'
import { useFetched } from '../data/use-fetched.ts'
import { spanOf } from '../time.ts'

/** How often the server is asked, in milliseconds: it reads the records of a week. */
const REFRESH_MS = 5 * 60_000

/** How many questions wait and since when, and how long those waited that this person has answered. */
export function Statistics({ open, now }: { open: readonly WaitingEntry[]; now: number }): ReactElement {
  const { value } = useFetched<InboxStatistics>(STATISTICS_URL, Math.floor(now / REFRESH_MS))
  const waiting = open.filter(({ question }) => holdsUpWork(question))
  // What an older runner has asked tells no time.
  const since = waiting.find(({ question }) => question.askedAt !== undefined)?.question.askedAt
  const oldest = since === undefined ? '' : `, the oldest for ${longOf(now - Date.parse(since))}`
  const count = waiting.length === 1 ? '1 question waits' : `${waiting.length} questions wait`
  const waits = waiting.length === 0 ? 'Nothing waits for you' : `${count} for you${oldest}`
  const said = [waits, saidOf('24 h', value?.day), saidOf('7 days', value?.week)].filter(
    (part) => part !== '',
  )
  return (
    <p className="statistics" dir="auto">
      {said.join(' · ')}
    </p>
  )
}

/** Half of the answers is the median: a few questions of the night do not change it. */
function saidOf(span: string, waits: Waits | undefined): string {
  if (!waits || waits.medianMs === null) return ''
  return `${span}: ${waits.answered} answered, half within ${longOf(waits.medianMs)}`
}

const longOf = (ms: number): string => (ms < 60_000 ? 'a minute' : spanOf(ms))
