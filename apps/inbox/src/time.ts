import { useEffect, useState } from 'react'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How often times on the page are brought up to date, in milliseconds. */
const TICK_MS = 10_000

/** The time now, which moves on by itself. */
export function useNow(tickMs: number = TICK_MS): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [tickMs])
  return now
}

/** A span of time in a few letters, such as `5 min`. */
export function spanOf(ms: number): string {
  if (ms < MINUTE_MS) return 'seconds'
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`
  return `${Math.floor(ms / DAY_MS)} d`
}

/** How long ago it was. @param at ISO 8601 */
export const agoOf = (at: string, now: number): string => `${spanOf(Math.max(0, now - Date.parse(at)))} ago`

/** The time of day, as this person writes it. @param at in milliseconds since 1970 */
export const timeOfDay = (at: number): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })

/** How much time is left, in words. */
export const leftOf = (dueAt: number, now: number): string =>
  dueAt <= now ? 'overdue' : `${spanOf(dueAt - now)} left`

/** Less time than this is urgent, in milliseconds. */
const URGENT_MS = 15 * MINUTE_MS

export const isUrgent = (dueAt: number | null, now: number): boolean =>
  dueAt !== null && dueAt - now < URGENT_MS
