import type { InboxQuestion } from '@sandagent/inbox'
import type { ReactElement } from 'react'
import { isUrgent, leftOf, spanOf } from '../time.ts'
import { detailOf, titleOf } from './title.ts'

interface EntryProps {
  entry: InboxQuestion
  /** When the time runs out, in milliseconds since 1970. */
  dueAt?: number | null
  /** The line below the title. Default: more of what is asked. */
  detail?: string
  /** What is said in the place of the age. */
  ending?: string
  href: string
  isCurrent: boolean
  now: number
}

/** A question in a list: what is asked, who asks, how old it is and how urgent. */
export function Entry({
  entry,
  dueAt = null,
  ending,
  href,
  isCurrent,
  now,
  ...given
}: EntryProps): ReactElement {
  const { question, sandboxName } = entry
  const { askedAt, asker, runEnded } = question
  const age = askedAt === undefined ? '' : spanOf(Math.max(0, now - Date.parse(askedAt)))
  const detail = given.detail ?? detailOf(question)
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'true' : undefined} data-entry>
        <span className="entry-title" dir="auto">
          {titleOf(question)}
        </span>
        {detail !== '' && (
          <span className="entry-detail" data-kind={question.kind}>
            {detail}
          </span>
        )}
        <span className="entry-facts">
          <span className="entry-place">{sandboxName}</span>
          {asker?.agent !== undefined && <span>{asker.agent}</span>}
          <span>{ending ?? age}</span>
          {ending === undefined && dueAt !== null && (
            <span className={isUrgent(dueAt, now) ? 'urgent' : undefined}>{leftOf(dueAt, now)}</span>
          )}
          {ending === undefined && runEnded && <span>its agent has ended</span>}
        </span>
      </a>
    </li>
  )
}
