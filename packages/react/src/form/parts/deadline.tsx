import { systemClock } from '@sandagent/core/internal'
import { type ReactElement, useEffect, useState } from 'react'
import type { AskLabels } from '../labels/ask-labels.ts'

const MINUTE_MS = 60_000

interface DeadlineProps {
  labels: AskLabels
  /** In milliseconds since 1970. */
  at: number
}

/**
 * Until when the agent waits, at the top of the form: quiet while there is time, with a countdown in the last minute. The
 * time is a hint: the agent's clock decides, and until then the question can be answered.
 */
export function Deadline({ labels, at }: DeadlineProps): ReactElement {
  const leftMs = useTimeLeft(at)
  const isLastMinute = leftMs <= MINUTE_MS
  return (
    <time
      className="sa-deadline"
      data-urgent={isLastMinute || undefined}
      dateTime={new Date(at).toISOString()}
    >
      {isLastMinute ? urgency(labels, leftMs, minutesOf(leftMs)) : labels.waitsUntil(new Date(at))}
    </time>
  )
}

/** Tells screen readers once that the last minute has begun, and once that the time is up. It belongs into the status. */
export function Urgency({ labels, at }: DeadlineProps): ReactElement | null {
  const leftMs = useTimeLeft(at)
  return leftMs <= MINUTE_MS ? <span className="sa-hidden">. {urgency(labels, leftMs)}</span> : null
}

const urgency = (labels: AskLabels, leftMs: number, left?: string): string =>
  leftMs === 0 ? labels.timeUp : labels.lastMinute(left)

/** The milliseconds that are left, up to date at the last minute and at each second of it. */
export function useTimeLeft(at: number): number {
  const [, setTick] = useState({})
  const leftMs = Math.max(0, at - Date.now())
  useEffect(() => {
    const nextMs = leftMs <= MINUTE_MS ? leftMs % 1000 || 1000 : leftMs - MINUTE_MS
    return leftMs > 0 ? systemClock.after(nextMs, () => setTick({})) : undefined
  })
  return leftMs
}

/** `1:00`, `0:59`, … `0:00` */
const minutesOf = (ms: number): string =>
  new Date(Math.ceil(ms / 1000) * 1000).toISOString().slice('1970-01-01T00:0'.length, -'.000Z'.length)
