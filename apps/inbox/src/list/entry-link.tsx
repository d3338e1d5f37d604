import type { ReactElement, ReactNode } from 'react'

/** Where an entry leads, and whether it is open now. */
export interface EntryPlace {
  href: string
  isCurrent: boolean
}

interface EntryLinkProps extends EntryPlace {
  folder: string
  /** What else is told beside the folder. What is missing is left out. */
  facts: readonly (string | false | undefined)[]
  /** What to look at in the call that is asked about. */
  risks?: readonly string[]
  time: ReactNode
  title: string
  detail: string
  /** Whether the detail is a command, or a part of a call. */
  isCode?: boolean
  /** What was said, if it is over. */
  answer?: string | undefined
  /** Whether it is selected, and what selects it. Absent for what is not selected. */
  selection?: Selection | undefined
}

export interface Selection {
  isSelected: boolean
  /** @param isRange whether all up to the last one are selected too */
  onToggle: (isRange: boolean) => void
}

/** One entry of a list: the folder first, the age at the right, what it is about, and one line more. */
export const EntryLink = ({
  href,
  isCurrent,
  folder,
  facts,
  risks = [],
  time,
  title,
  detail,
  isCode = false,
  answer = '',
  selection,
}: EntryLinkProps): ReactElement => (
  <>
    {selection && (
      <label className="entry-check">
        <input
          type="checkbox"
          aria-label={`Select ${title} ${detail}`}
          checked={selection.isSelected}
          onChange={({ nativeEvent }) => selection.onToggle((nativeEvent as MouseEvent).shiftKey === true)}
        />
      </label>
    )}
    <a href={href} aria-current={isCurrent ? 'true' : undefined} data-entry>
      <span className="entry-facts">
        <bdi className="entry-place">{folder}</bdi>
        {facts.map((fact) => fact && <bdi key={fact}>{fact}</bdi>)}
        <span className="entry-time">
          <bdi>{time}</bdi>
        </span>
      </span>
      <span className="entry-title" dir="auto">
        {title}
      </span>
      {risks.length > 0 && <span className="entry-detail risk">{risks.join(' · ')}</span>}
      {detail !== '' && (
        <span className={isCode ? 'entry-detail code' : 'entry-detail'} dir={isCode ? 'ltr' : 'auto'}>
          {detail}
        </span>
      )}
      {answer !== '' && (
        <span className="entry-detail" dir="auto">
          {answer}
        </span>
      )}
    </a>
  </>
)
