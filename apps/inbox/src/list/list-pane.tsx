import { Fragment, type ReactElement, type ReactNode, type RefObject } from 'react'
import { type Batch, kindOf } from '../batch/use-batch.ts'
import { hrefTo, VIEWS, type View } from '../data/address.ts'
import { keyOf } from '../data/api.ts'
import type { WaitingEntry } from '../data/inbox-state.ts'
import { useSnoozed } from '../data/snooze.ts'
import type { Lists } from '../data/use-lists.ts'
import { answerIn, endingOf } from '../history/ending.ts'
import { RunEntry } from '../runs/run-entry.tsx'
import { timeOfDay } from '../time.ts'
import { Entry } from './entry.tsx'
import type { Selection } from './entry-link.tsx'
import { List } from './list.tsx'
import { SearchField } from './search-field.tsx'
import { Statistics } from './statistics.tsx'

export const TITLES: Readonly<Record<View, string>> = {
  open: 'Open',
  later: 'Not now',
  history: 'History',
  runs: 'Runs',
}

const NOTHING: Readonly<Record<View, string>> = {
  open: 'Nothing waits for you.',
  later: 'You have put nothing off.',
  history: 'Nothing was asked yet.',
  runs: 'No run was started yet.',
}

/** The other lists keep the words of the search. */
const NoMatch = ({ view }: { view: View }): ReactElement => (
  <>
    Nothing matches here. Look in{' '}
    {VIEWS.filter((name) => name !== view).map((name, index) => (
      <Fragment key={name}>
        {index > 0 && ', '}
        <a href={hrefTo(name)}>{TITLES[name]}</a>
      </Fragment>
    ))}
    .
  </>
)

interface ListPaneProps {
  view: View
  lists: Lists
  currentKey: string | null
  now: number
  isLoading: boolean
  focusRequest: number
  search: string
  field: RefObject<HTMLInputElement | null>
  batch: Batch
  /** What is said about the selection. */
  bar: ReactNode
  onSearch: (search: string) => void
  /** Called for Enter in the field. */
  onEnter: () => void
  /** Called when the person leaves the field. */
  onLeave: () => void
}

/** The lists, and the field that searches in them. */
export function ListPane({
  view,
  lists: { waits, groups, shown, problem, more },
  currentKey,
  now,
  isLoading,
  focusRequest,
  search,
  field,
  batch,
  bar,
  onSearch,
  onEnter,
  onLeave,
}: ListPaneProps): ReactElement {
  const snoozed = useSnoozed()
  const selectionOf = (entry: WaitingEntry): Selection => ({
    isSelected: batch.isSelected(entry.key),
    onToggle: (isRange) => batch.toggle(entry, isRange),
  })
  return (
    <section className="list" aria-label="Questions">
      <nav className="views" aria-label="Lists">
        {VIEWS.map((name) => (
          <a key={name} href={hrefTo(name)} aria-current={name === view ? 'page' : undefined}>
            {TITLES[name]}
            {(name === 'open' || name === 'later') && ` ${waits[name].length}`}
          </a>
        ))}
      </nav>
      <SearchField field={field} value={search} onChange={onSearch} onEnter={onEnter} onLeave={onLeave} />
      {bar}
      <List
        label={TITLES[view]}
        groups={groups}
        currentKey={currentKey}
        focusRequest={focusRequest}
        end={
          more && (
            <button type="button" className="plain more" onClick={more}>
              Earlier questions
            </button>
          )
        }
      >
        {(entry) => {
          const key = keyOf(entry)
          const place = { href: hrefTo(view, key), isCurrent: key === currentKey, now }
          if ('run' in entry) return <RunEntry entry={entry} {...place} />
          if (view === 'history')
            return (
              <Entry
                entry={entry}
                answer={answerIn(entry.question)}
                ending={endingOf(entry.question, now)}
                {...place}
              />
            )
          const { dueAt } = entry as WaitingEntry
          const backAt = view === 'later' ? timeOfDay(snoozed[key] ?? 0) : undefined
          const selection =
            kindOf(entry as WaitingEntry) === null ? undefined : selectionOf(entry as WaitingEntry)
          return <Entry entry={entry} dueAt={dueAt} backAt={backAt} selection={selection} {...place} />
        }}
      </List>
      {shown.length === 0 && !isLoading && (
        <p className="empty">{problem ?? (search.trim() === '' ? NOTHING[view] : <NoMatch view={view} />)}</p>
      )}
      <Statistics open={waits.open} now={now} />
    </section>
  )
}
