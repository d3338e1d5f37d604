import { visible } from '@sandagent/core/internal'
import type { FileEdit } from '@sandagent/inbox'
import { structuredPatch } from 'diff'
import { type ReactElement, useMemo } from 'react'

/** How many lines may differ before an edit is shown as a whole: finding the smallest difference takes long then. */
const MOST_DIFFERING = 200

/** How many lines of one file are shown. */
const MOST_LINES = 400

interface EditsProps {
  title: string
  edits: readonly FileEdit[]
}

/** The files that an agent writes, with what changes in each. */
export function Edits({ title, edits }: EditsProps): ReactElement | null {
  // The same edits come again with each reading of the run.
  const text = JSON.stringify(edits)
  const files = useMemo(() => linesByFile(JSON.parse(text)), [text])
  if (files.size === 0) return null
  return (
    <section className="edits" aria-label={title}>
      <p className="label">{title}</p>
      {[...files].map(([path, lines]) => (
        <details key={path}>
          <summary>
            <code>{visible(path)}</code> <Count of={lines} mark="+" /> <Count of={lines} mark="-" />
          </summary>
          <pre>
            {lines.slice(0, MOST_LINES).map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              <span key={index} data-change={CHANGES[line[0] ?? '']}>
                {line[0]}
                {visible(line.slice(1))}
                {'\n'}
              </span>
            ))}
            {lines.length > MOST_LINES && `… ${lines.length - MOST_LINES} more lines`}
          </pre>
        </details>
      ))}
    </section>
  )
}

const CHANGES: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed' }

function Count({ of: lines, mark }: { of: readonly string[]; mark: '+' | '-' }): ReactElement | null {
  const count = lines.filter((line) => line.startsWith(mark)).length
  if (count === 0) return null
  return (
    <span data-change={CHANGES[mark]}>
      {mark}
      {count}
    </span>
  )
}

/** The lines of a unified diff, by the paths of their files. A line `@` parts two edits. */
function linesByFile(edits: readonly FileEdit[]): Map<string, string[]> {
  const files = new Map<string, string[]>()
  for (const { path, before, after } of edits) {
    const known = files.get(path)
    files.set(path, [...(known ? [...known, '@'] : []), ...diffLines(before ?? '', after)])
  }
  return files
}

function diffLines(before: string, after: string): string[] {
  const patch = structuredPatch('', '', withEnd(before), withEnd(after), '', '', {
    context: 2,
    maxEditLength: MOST_DIFFERING,
  })
  if (patch) return patch.hunks.flatMap(({ lines }, index) => [...(index > 0 ? ['@'] : []), ...lines])
  return [...linesOf(before).map((line) => `-${line}`), ...linesOf(after).map((line) => `+${line}`)]
}

/** Parts of files often end without a line break, which says nothing about the file. */
const withEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

const linesOf = (text: string): string[] => (text === '' ? [] : withEnd(text).slice(0, -1).split('\n'))
