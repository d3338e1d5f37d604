import { type NumberAnswer, stepOf, typedText, valueIn } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { TypedInputProps } from './typed-input.ts'

/** A slider. Where it stands before anybody has touched it is no answer, and it says so. */
export function Slider({
  typed,
  id,
  title,
  text,
  labels,
  onEnter,
  attributes,
}: TypedInputProps & { typed: NumberAnswer }): ReactElement {
  const isSet = Number.isFinite(valueIn(typed, text.trim()))
  const said = isSet ? (typedText({ question: title, typed }, text) ?? text) : labels.notChosen
  return (
    <span style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0.75rem' }}>
      <input
        {...attributes}
        id={id}
        type="range"
        min={typed.min}
        max={typed.max}
        step={stepOf(typed)}
        value={isSet ? text.trim() : typed.min}
        aria-valuetext={said}
        onChange={({ target }) => onEnter(target.value)}
        // The place where it stands already makes no change.
        onClick={({ currentTarget }) => onEnter(currentTarget.value)}
        style={{
          flex: '1 1 9rem',
          blockSize: '2.75rem',
          accentColor: 'var(--_accent)',
          opacity: isSet ? 1 : 0.6,
        }}
      />
      <output htmlFor={id} dir="auto" aria-hidden="true" style={{ minInlineSize: '4rem' }}>
        {said}
      </output>
    </span>
  )
}
