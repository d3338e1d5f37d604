import { type ReactElement, useEffect, useState } from 'react'
import type { AskLabels } from '../labels/ask-labels.ts'

const MINUTE_MS = 60_000
/** A timer for a longer time fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

interface DeadlineProps {
  labels: AskLabels
  /** In milliseconds since 1970. */
  at: number
}

/**
 * Until when the agent waits. In the last minute, screen readers announce it once, and a countdown is shown. The time is
 * a hint: the agent's clock decides, and until then the question can be answered.
 */
export function Deadline({ labels, at }: DeadlineProps): ReactElement {
  const [, setTick] = useState({})
  const leftMs = Math.max(0, at - Date.now())
  const isLastMinute = leftMs <= MINUTE_MS
  useEffect(() => {
    const nextMs = isLastMinute ? leftMs % 1000 || 1000 : leftMs - MINUTE_MS
    const timer = leftMs > 0 ? setTimeout(() => setTick({}), Math.min(nextMs, LONGEST_TIMER_MS)) : undefined
    return () => clearTimeout(timer)
  })
  return (
    <>
      <time className="sa-quiet" dateTime={new Date(at).toISOString()}>
        {leftMs === 0 ? labels.timeUp : isLastMinute ? labels.lastMinute : labels.waitsUntil(new Date(at))}
      </time>
      {isLastMinute && leftMs > 0 && <span aria-hidden="true">{minutesOf(leftMs)}</span>}
    </>
  )
}

/** `1:00`, `0:59`, … `0:00` */
const minutesOf = (ms: number): string =>
  new Date(Math.ceil(ms / 1000) * 1000).toISOString().slice('1970-01-01T00:0'.length, -'.000Z'.length)
