import {
  endsOf,
  enteredFault,
  isRange,
  loadTypedFault,
  questionTitle,
  rangeText,
  typedOf,
} from '@sandagent/core/internal'
import { type ReactElement, useEffect, useState } from 'react'
import { englishTypedLabels } from '../labels/typed-labels.ts'
import type { QuestionPartProps } from '../state/ask-form.ts'
import { entryOf } from '../state/entries.ts'
import { DateInput } from './date-input.tsx'
import { isSkipped } from './local-moment.ts'
import { NumberInput } from './number-input.tsx'
import { Rating } from './rating.tsx'
import { Slider } from './slider.tsx'
import { INCOMPLETE, type TypedInputProps } from './typed-input.ts'

// What this form checks, its session checks too.
void loadTypedFault()

/** The field for a number, a date, an address or a range, with its limits and with what is wrong. */
export function TypedField({ form, question }: QuestionPartProps): ReactElement | null {
  const { ask } = form
  const typed = typedOf(question)
  const labels = { ...englishTypedLabels, ...form.labels }
  const { freeText } = entryOf(ask, question)
  const place = `${form.id}${ask.questions.indexOf(question)}`
  const id = `${place}own`
  // The text field that stood here until this was loaded may have had the focus.
  const [hadFocus] = useState(() => globalThis.document?.activeElement?.id === id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (hadFocus) document.getElementById(id)?.focus()
  }, [])
  if (!typed) return null
  const hint = labels.typedHint(typed)
  const isInvalid = ask.stateOf(question.id) === 'invalid'
  const fault = isInvalid ? enteredFault(question, freeText, 'two') : null
  const ends = endsOf(question, freeText)
  const isMoment = 'zone' in typed && typed.zone === true
  const reasonFor = (expected: string): string => {
    if (ends.includes(INCOMPLETE)) return labels.incomplete
    return isMoment && ends.some(isSkipped) ? labels.skippedTime : labels.misfit(expected, typed)
  }
  const enter = (text: string, end: number): void =>
    ask.setFreeText(
      question.id,
      isRange(typed) ? rangeText(ends.map((before, at) => (at === end ? text : before))) : text,
    )
  const title = questionTitle(question)
  const props = (end: number): TypedInputProps => ({
    id: end === 0 ? id : `${id}${end}`,
    title,
    text: ends[end] ?? '',
    labels,
    onEnter: (text) => enter(text, end),
    attributes: {
      disabled: !ask.isEditable,
      'aria-invalid': isInvalid || undefined,
      'aria-describedby': `${place}body ${place}hint ${id}hint ${id}fault`,
      placeholder: question.placeholder,
      'aria-label': isRange(typed) ? labels.about(end === 0 ? labels.from : labels.to, title) : undefined,
    },
  })
  const input = (end: number): ReactElement => {
    if (typed.kind !== 'number') return <DateInput typed={typed} {...props(end)} />
    if (typed.show === 'rating') return <Rating typed={typed} {...props(end)} />
    return typed.show === 'slider' ? (
      <Slider typed={typed} {...props(end)} />
    ) : (
      <NumberInput typed={typed} {...props(end)} />
    )
  }
  return (
    <div className="sa-own" data-checked={ask.stateOf(question.id) === 'answered' || undefined}>
      {isRange(typed) ? (
        <div style={{ display: 'flex', flexWrap: 'wrap', gap: '0.75rem' }}>
          {[labels.from, labels.to].map((name, end) => (
            <div key={name} style={{ flex: '1 1 min(10rem, 100%)', minInlineSize: 0 }}>
              <span className="sa-hint" aria-hidden="true">
                {name}
              </span>
              {input(end)}
            </div>
          ))}
        </div>
      ) : (
        input(0)
      )}
      <p className="sa-hint" id={`${id}hint`} dir="auto" hidden={hint === ''}>
        {hint}
      </p>
      {/* Not announced: the form says that an answer is needed, and leads to this field. */}
      <p className="sa-hint" id={`${id}fault`} dir="auto">
        {fault !== null && <strong className="sa-missing">{reasonFor(fault)}</strong>}
      </p>
    </div>
  )
}
