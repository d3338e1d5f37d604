import { planLines, readComments, visible, withLineBreaks, writeComments } from '@sandagent/core/internal'
import { type ReactElement, type ReactNode, useMemo, useState } from 'react'
import { useMarkdown } from '../../markdown/use-markdown.ts'
import { TextArea } from '../../parts/text-area.tsx'
import { entryOf } from '../../state/entries.ts'
import type { ShownCall } from '../approval-form.ts'
import { englishPlanLabels } from './plan-labels.ts'

export interface PlanProps {
  form: ShownCall
  text: string
}

/** A page bears no field for each of half a million lines. Those of a longer plan are named in the note. */
const MOST_LINES = 2_000

/** What Markdown does not show: the addresses behind names. */
const HIDES = /^ {0,3}\[(?:\\.|[^[\]\\])*\]:/m

/**
 * A plan to accept: as Markdown, and line by line as it was written. Comments on lines are a part of the note to the
 * agent, so that they survive what the note survives, and people see them in it.
 */
export function Plan({ form, text }: PlanProps): ReactElement {
  const { ask, question } = form
  const labels = { ...englishPlanLabels, ...form.labels }
  const { render } = useMarkdown(true)
  const rendered = useMemo(() => rendering(text, render), [text, render])
  const lines = useMemo(() => planLines(text), [text])
  const note = ask && question ? entryOf(ask, question).notes : ''
  const comments = useMemo(() => readComments(text, note).lines, [text, note])
  const [isOpen, setOpen] = useState(HIDES.test(text) || comments.size > 0)
  const takesComments = ask?.isWaitingForInput === true && lines.length <= MOST_LINES
  const isShown = isOpen || rendered === undefined
  return (
    <div className="sa-given sa-call">
      {rendered !== undefined && (
        <div className="sa-text" dir="auto">
          {rendered}
        </div>
      )}
      <details className="sa-scopes" open={isShown}>
        {/* Not by onToggle: browsers tell of what is open from the first, too. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
        <summary
          onClick={(event) => {
            event.preventDefault()
            setOpen(!isShown)
          }}
        >
          {takesComments ? labels.planComment : labels.planLines}
        </summary>
        {!isShown ? null : lines.length > MOST_LINES ? (
          <pre dir="ltr">{visible(text)}</pre>
        ) : (
          <ol style={{ margin: 0, padding: 0, listStyle: 'none' }}>
            {lines.map((line, index) => (
              <PlanLine
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its position
                key={index}
                number={index + 1}
                line={line}
                name={labels.commentOn(index + 1)}
                comment={comments.get(index + 1)}
                onComment={
                  takesComments && question
                    ? (words) => {
                        const { lines: before, rest } = readComments(text, note)
                        const after = new Map(before).set(index + 1, words)
                        ask.setNotes(question.id, writeComments({ lines: after, rest }))
                      }
                    : undefined
                }
              />
            ))}
          </ol>
        )}
      </details>
    </div>
  )
}

function rendering(text: string, render: ReturnType<typeof useMarkdown>['render']): ReactNode | undefined {
  try {
    return render?.(withLineBreaks(text), 'block', [])
  } catch (error) {
    console.error(error)
    return undefined // Its lines are still there.
  }
}

interface PlanLineProps {
  number: number
  line: string
  /** The name of its field. */
  name: string
  comment: string | undefined
  onComment: ((words: string) => void) | undefined
}

/** A line as it was written. Its number opens the field for a comment. */
function PlanLine({ number, line, name, comment, onComment }: PlanLineProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const hasField = onComment !== undefined && (isOpen || comment !== undefined)
  return (
    <li style={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '0 0.5em', alignItems: 'start' }}>
      {onComment === undefined ? (
        <span className="sa-hint">{number}</span>
      ) : (
        <button
          type="button"
          className="sa-button sa-quiet"
          style={{ minInlineSize: '3em' }}
          aria-label={name}
          aria-expanded={hasField}
          onClick={() => setOpen(!isOpen)}
        >
          {number}
        </button>
      )}
      <pre dir="ltr" style={{ border: 0, background: 'none', paddingInline: 0 }}>
        {visible(line)}
      </pre>
      {hasField ? (
        <div style={{ gridColumn: 2 }}>
          <TextArea
            autoFocus={isOpen}
            aria-label={name}
            placeholder={name}
            value={comment ?? ''}
            onChange={({ target }) => onComment(target.value)}
          />
        </div>
      ) : (
        comment !== undefined && <q style={{ gridColumn: 2 }}>{comment}</q>
      )}
    </li>
  )
}
