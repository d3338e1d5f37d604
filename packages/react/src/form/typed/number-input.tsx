// Why it is so: docs/decisions/0113-a-typed-answer-has-a-kind.md

import { limitsOf, type NumberAnswer, stepOf, steppedText, valueIn } from '@sandagent/core/internal'
import type { KeyboardEvent, ReactElement } from 'react'
import type { TypedInputProps } from './typed-input.ts'

/**
 * A number as text, so that a comma is not lost without a word. The arrow keys go up and down, as in a field of the browser.
 */
export function NumberInput({
  typed,
  id,
  text,
  onEnter,
  attributes,
}: TypedInputProps & { typed: NumberAnswer }): ReactElement {
  const { unit } = typed
  const [least, most] = limitsOf(typed).map((limit) => (limit === undefined ? limit : Number(limit)))
  const value = valueIn(typed, text.trim())
  const isNumber = Number.isFinite(value)
  const isCount =
    least !== undefined && least >= 0 && Number.isInteger(least) && Number.isInteger(stepOf(typed))
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (by === 0 || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onEnter(steppedText(typed, text, by))
  }
  return (
    <span style={{ display: 'flex', alignItems: 'center', gap: '0.5rem' }}>
      <input
        {...attributes}
        id={id}
        className="sa-input"
        type="text"
        // Where text runs from right to left, a minus would stand behind its number.
        dir="ltr"
        role="spinbutton"
        aria-valuemin={least}
        aria-valuemax={most}
        aria-valuenow={isNumber ? value : undefined}
        aria-valuetext={isNumber ? [text.trim(), unit].filter(Boolean).join(' ') : undefined}
        // The number pad of a phone has no minus, and in some countries a comma in place of the point.
        inputMode={isCount ? 'numeric' : 'text'}
        autoComplete="off"
        value={text}
        onChange={({ target }) => onEnter(target.value)}
        onKeyDown={onKeyDown}
      />
      {unit !== undefined && (
        <span aria-hidden="true" style={{ whiteSpace: 'nowrap' }}>
          {unit}
        </span>
      )}
    </span>
  )
}
