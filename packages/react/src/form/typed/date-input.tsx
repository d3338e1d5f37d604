import { type DateAnswer, limitsOf, type TypedAnswer, valueIn } from '@sandagent/core/internal'
import type { ReactElement, SyntheticEvent } from 'react'
import type { TypedInputProps } from './typed-input.ts'

const TYPES = {
  date: 'date',
  time: 'time',
  'date-time': 'datetime-local',
  email: 'email',
  uri: 'url',
} as const

/** What stands for a date of which some parts were entered. It fits nowhere, so it is not sent. */
const INCOMPLETE = '…'

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
  const isMoment = 'zone' in typed && typed.zone === true
  const isNative = isKnown(type)
  const isDate = typed.kind !== 'email' && typed.kind !== 'uri'
  const local = isMoment && isNative ? localText(typed, text) : text
  // The browser empties a date field that gets another text.
  const shown =
    isNative && isDate && Number.isNaN(valueIn({ ...typed, zone: false } as DateAnswer, local)) ? '' : local
  const [earliest, latest] = limitsOf(typed).map((limit) =>
    limit !== undefined && isMoment ? localText(typed, limit) : limit,
  )
  /** Most browsers report no change while a date is incomplete. */
  const read = ({ currentTarget }: SyntheticEvent<HTMLInputElement>): void => {
    const { value, validity } = currentTarget
    const isIncomplete = isDate && validity.badInput
    if (isIncomplete === (text === INCOMPLETE) && value === shown) return
    if (isIncomplete) onEnter(INCOMPLETE)
    else onEnter(isMoment && isNative ? withOffset(value) : value)
  }
  return (
    <>
      <input
        {...attributes}
        {...(isMoment && { 'aria-describedby': `${attributes['aria-describedby']} ${id}zone` })}
        id={id}
        className="sa-input"
        type={type}
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
          {labels.inZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        </p>
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

const twoDigits = (number: number): string => `${number}`.padStart(2, '0')

/** A moment as the clock of this browser shows it. Other texts stay as they are. */
function localText(typed: TypedAnswer, text: string): string {
  const moment = valueIn(typed, text)
  if (Number.isNaN(moment)) return text
  const at = new Date(moment)
  const day = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-')
  return `${day}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`
}

/** The same with the offset that this browser has on that day. */
function withOffset(local: string): string {
  const minutes = -new Date(local).getTimezoneOffset()
  if (Number.isNaN(minutes)) return local
  const [sign, size] = minutes < 0 ? ['-', -minutes] : ['+', minutes]
  return `${local}${sign}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}
