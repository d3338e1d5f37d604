/** When a person gets no notices. `from` may be later than `to`: then the night is between them. */
export interface QuietHours {
  /** `HH:MM`, by the person's own clock. */
  from: string
  /** The first minute that is not quiet. */
  to: string
  /** As the IANA names it, such as `Europe/Berlin`. */
  timeZone: string
}

/** Whether a moment is within quiet hours, whatever the clocks of the time zone did meanwhile. */
export function isQuiet({ from, to, timeZone }: QuietHours, now: number): boolean {
  const time = clockIn(timeZone).format(now)
  return from < to ? from <= time && time < to : from <= time || time < to
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Writes times as `HH:MM`. @throws RangeError for an unknown time zone */
function clockIn(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  clocks.set(timeZone, made)
  return made
}

export function isTimeZone(timeZone: string): boolean {
  try {
    clockIn(timeZone)
    return true
  } catch {
    return false
  }
}
