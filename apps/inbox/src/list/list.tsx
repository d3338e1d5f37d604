import type { InboxQuestion, InboxRun } from '@sandagent/inbox'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { keyOf } from '../data/api.ts'
import type { Group } from './groups.ts'

interface ListProps {
  label: string
  groups: readonly Group[]
  currentKey: string | null
  /** Each new number moves the focus to the current entry. */
  focusRequest: number
  children: (entry: InboxQuestion | InboxRun) => ReactNode
  /** What stands below the entries. */
  end?: ReactNode
}

/** As many rows are all on the page: the browser's own search finds them. Of more, those in sight and some around them. */
const FEW = 250
const SOME = 8

/** How high a row is, roughly. In pixels. */
const ENTRY_PX = 80
const HEADING_PX = 34

interface Row {
  key: string
  heading?: string
  entry?: InboxQuestion | InboxRun
  /** The place among the entries, from 1. */
  position: number
}

/** A list of thousands of entries, below the headings of their groups. */
export function List({ label, groups, currentKey, focusRequest, children, end }: ListProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => rowsOf(groups), [groups])
  const place = useMemo(() => rows.findIndex(({ key }) => key === currentKey), [rows, currentKey])
  const current = place === -1 ? undefined : place
  const count = rows.length
  const total = rows.at(-1)?.position ?? 0
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.entry ? ENTRY_PX : HEADING_PX),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: count <= FEW ? FEW : SOME,
    // The current entry stays on the page: it may have the focus.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return current === undefined || shown.includes(current)
        ? shown
        : [...shown, current].sort((a, b) => a - b)
    },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a request moves the focus
  useEffect(() => {
    if (focusRequest === 0 || current === undefined) return
    virtual.scrollToIndex(current, { align: 'auto' })
    scroller.current?.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true })
  }, [focusRequest])

  return (
    <div ref={scroller} className="entries">
      <ul aria-label={label} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index]
          if (!row) return null
          const { heading, entry, position } = row
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
              {...(entry && { 'aria-setsize': total, 'aria-posinset': position })}
            >
              {entry ? children(entry) : <h2>{heading}</h2>}
            </li>
          )
        })}
      </ul>
      {end}
    </div>
  )
}

function rowsOf(groups: readonly Group[]): Row[] {
  let position = 0
  return groups.flatMap(({ title, entries }) => [
    ...(title === undefined ? [] : [{ key: title, heading: `${title} ${entries.length}`, position }]),
    ...entries.map((entry) => {
      position += 1
      return { key: keyOf(entry), entry, position }
    }),
  ])
}
