import { valueIn } from '@sandagent/core/internal'

const twoDigits = (number: number): string => `${number}`.padStart(2, '0')

/** What a moment is called in the zone of this browser. */
interface LocalMoment {
  /** With the offset, as it is stored. */
  text: string
  /** Such as `UTC+02:00`. */
  offset: string
}

/** A moment as the clock of this browser shows it. Other texts stay as they are. */
export function localText(text: string): string {
  const moment = valueIn({ kind: 'date-time', zone: true }, text)
  return Number.isNaN(moment) ? text : clockAt(moment)
}

function clockAt(moment: number): string {
  const at = new Date(moment)
  const day = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-')
  return `${day}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`
}

/**
 * The moments at which the clock of this browser shows this: one; two, where clocks go back over it; none, where they go
 * forward over it, and for a text that is no date and time.
 */
export function momentsAt(local: string): LocalMoment[] {
  const near = new Date(local).getTime()
  if (Number.isNaN(valueIn({ kind: 'date-time' }, local))) return []
  const offsets = [near - DAY, near, near + DAY].map((moment) => -new Date(moment).getTimezoneOffset())
  return [...new Set(offsets)].map(offsetText).flatMap((offset) => {
    const text = `${local}${offset}`
    return localText(text) === local ? [{ text, offset: `UTC${offset}` }] : []
  })
}

const DAY = 86_400_000

function offsetText(minutes: number): string {
  const [sign, size] = minutes < 0 ? ['-', -minutes] : ['+', minutes]
  return `${sign}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}

/** Whether clocks go forward over a date and time, so that none of them shows it. */
export const isSkipped = (local: string): boolean =>
  !Number.isNaN(valueIn({ kind: 'date-time' }, local)) && momentsAt(local).length === 0
