import { type NumberAnswer, stepOf } from '@sandagent/core/internal'
import type { KeyboardEvent, ReactElement } from 'react'
import type { TypedInputProps } from './typed-input.ts'

/** A few whole numbers to choose from, as native radios. A digit is its number, not its place. */
export function Rating({
  typed,
  id,
  title,
  text,
  labels,
  onEnter,
  attributes,
}: TypedInputProps & { typed: NumberAnswer }): ReactElement {
  const { min = 1, max = 5 } = typed
  const step = stepOf(typed) ?? 1
  const values = Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, at) => min + at * step)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!/^\d$/.test(event.key) || event.altKey || event.ctrlKey || event.metaKey) return
    // The form would pick by place.
    event.stopPropagation()
    event.preventDefault()
    if (values.includes(Number(event.key))) {
      onEnter(event.key)
      document.getElementById(idOf(Number(event.key)))?.focus()
    }
  }
  // The first one has the id that the form leads to.
  const idOf = (value: number): string => (value === min ? id : `${id}v${value}`)
  const { 'aria-describedby': describedBy, 'aria-invalid': isInvalid, disabled } = attributes
  return (
    <div
      role="radiogroup"
      aria-label={title}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onKeyDown={onKeyDown}
      style={{ display: 'flex', flexWrap: 'wrap', gap: '0.375rem' }}
    >
      {values.map((value) => (
        <label
          key={value}
          className="sa-option sa-choice"
          data-checked={text.trim() === `${value}` || undefined}
          // Five are beside each other on a phone, each as wide as a finger.
          style={{
            display: 'flex',
            flex: '1 1 2.75rem',
            maxInlineSize: '4.125rem',
            justifyContent: 'center',
            gap: '0.375rem',
            paddingInline: '0.25rem',
          }}
        >
          <input
            id={idOf(value)}
            className="sa-rate"
            type="radio"
            name={`${id}rating`}
            value={value}
            checked={text.trim() === `${value}`}
            disabled={disabled}
            aria-label={labels.rated(value, typed)}
            onChange={() => onEnter(`${value}`)}
          />
          <bdi aria-hidden="true">{value}</bdi>
        </label>
      ))}
    </div>
  )
}
