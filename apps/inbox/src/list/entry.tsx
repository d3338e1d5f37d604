import { READER_NOTES, readerOf } from '@sandagent/core/internal'
import type { InboxQuestion } from '@sandagent/inbox'
import type { ReactElement, ReactNode } from 'react'
import { isUrgent, leftOf, spanOf } from '../time.ts'
import { EntryLink, type EntryPlace, type Selection } from './entry-link.tsx'
import { NOT_WAITING } from './groups.ts'
import { detailOf, risksOf, titleOf } from './title.ts'

interface EntryProps extends EntryPlace {
  entry: InboxQuestion
  /** When the time runs out, in milliseconds since 1970. */
  dueAt?: number | null
  /** When it comes back, if it is put off. */
  backAt?: string | undefined
  /** What was said, and in the place of the age how and when it ended. Absent for what waits. */
  answer?: string
  ending?: string
  selection?: Selection | undefined
  /** The heading above it, which need not be said again. */
  heading?: string | undefined
}

/** A question in a list: who asks, how old it is or how urgent, what is asked, and what can be answered. */
export function Entry({
  entry,
  dueAt = null,
  backAt,
  ending,
  now,
  answer,
  heading,
  ...place
}: EntryProps & { now: number }): ReactElement {
  const { question, sandboxName } = entry
  const { askedAt, asker } = question
  const reader = readerOf(question)
  const isApproval = question.kind === 'approval'
  return (
    <EntryLink
      {...place}
      folder={sandboxName}
      risks={ending === undefined ? risksOf(question) : []}
      facts={[
        asker?.agent,
        question.ignored && 'a false answer does not count',
        ending === undefined && !(reader === 'goes on' && heading === NOT_WAITING) && READER_NOTES[reader],
      ]}
      time={ending ?? timeOf({ askedAt, dueAt, backAt, now })}
      title={titleOf(question)}
      // Which options a question had, its answer need not repeat.
      detail={answer === undefined || isApproval ? detailOf(question) : ''}
      isCode={isApproval}
      answer={answer}
    />
  )
}

function timeOf({
  askedAt,
  dueAt,
  backAt,
  now,
}: {
  askedAt: string | undefined
  dueAt: number | null
  backAt: string | undefined
  now: number
}): ReactNode {
  if (backAt !== undefined) return `back ${backAt}`
  if (dueAt !== null && isUrgent(dueAt, now)) return <strong className="urgent">{leftOf(dueAt, now)}</strong>
  return askedAt === undefined ? '' : spanOf(Math.max(0, now - Date.parse(askedAt)))
}
