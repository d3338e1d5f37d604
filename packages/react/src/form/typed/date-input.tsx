import { type DateAnswer, limitsOf, type TypedAnswer, valueIn } from '@sandagent/core/internal'
import type { ReactElement, SyntheticEvent } from 'react'
import { localText, momentsAt } from './local-moment.ts'
import { INCOMPLETE, type TypedInputProps } from './typed-input.ts'

const TYPES = {
  date: 'date',
  time: 'time',
  'date-time': 'datetime-local',
  email: 'email',
  uri: 'url',
} as const

/** A field of the browser for a date, a time or an address. A browser without one shows a text field. */
export function DateInput({
  typed,
  id,
  text,
  labels,
  onEnter,
  attributes,
}: TypedInputProps & { typed: Exclude<TypedAnswer, { kind: 'number' }> }): ReactElement {
  const type = TYPES[typed.kind]
  const isNative = isKnown(type)
  const isMoment = 'zone' in typed && typed.zone === true && isNative
  const isDate = typed.kind !== 'email' && typed.kind !== 'uri'
  const local = isMoment ? localText(text) : text
  const moments = isMoment ? momentsAt(local) : []
  const moment = moments.find((each) => Date.parse(each.text) === Date.parse(text))
  // The browser empties a date field that gets another text.
  const shown =
    isNative && isDate && Number.isNaN(valueIn({ ...typed, zone: false } as DateAnswer, local)) ? '' : local
  const [earliest, latest] = limitsOf(typed).map((limit) =>
    limit !== undefined && isMoment ? localText(limit) : limit,
  )
  /** Most browsers report no change while a date is incomplete. */
  const read = ({ currentTarget }: SyntheticEvent<HTMLInputElement>): void => {
    const { value, validity } = currentTarget
    const isIncomplete = isDate && validity.badInput
    if (isIncomplete === (text === INCOMPLETE) && value === shown) return
    if (isIncomplete) onEnter(INCOMPLETE)
    else onEnter((isMoment && momentsAt(value)[0]?.text) || value)
  }
  return (
    <>
      <input
        {...attributes}
        {...(isMoment && { 'aria-describedby': `${attributes['aria-describedby']} ${id}zone` })}
        id={id}
        className="sa-input"
        type={type}
        // An address is read from left to right in every language.
        dir="ltr"
        min={earliest}
        // Without it, some browsers take years of six digits.
        max={latest ?? LAST[typed.kind]}
        value={shown}
        onChange={read}
        onKeyUp={read}
        onBlur={read}
      />
      {isMoment && (
        <p className="sa-hint" id={`${id}zone`} dir="auto">
          {labels.inZone(Intl.DateTimeFormat().resolvedOptions().timeZone, moment?.offset)}
        </p>
      )}
      {moments.length > 1 && (
        <select
          className="sa-input"
          aria-label={labels.shownTwice}
          aria-describedby={attributes['aria-describedby']}
          disabled={attributes.disabled}
          value={moment?.text}
          onChange={({ target }) => onEnter(target.value)}
        >
          {moments.map((each, at) => (
            <option key={each.text} value={each.text}>
              {at === 0 ? labels.beforeChange(each.offset) : labels.afterChange(each.offset)}
            </option>
          ))}
        </select>
      )}
    </>
  )
}

const LAST: Partial<Record<TypedAnswer['kind'], string>> = {
  date: '9999-12-31',
  'date-time': '9999-12-31T23:59',
}

function isKnown(type: string): boolean {
  const input = document.createElement('input')
  input.type = type
  return input.type === type
}
