import { ARRIVAL_GUARD_MS } from '@sandagent/core/internal'
import { useLayoutEffect } from 'react'

let arrivedAt = 0

/**
 * Notes that something is shown that a person can decide about, with its first appearance on the page.
 *
 * @param what another text is something else
 */
export function useArrival(what: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: something else arrives
  useLayoutEffect(() => {
    arrivedAt = performance.now()
  }, [what])
}

/** Whether what is shown has only just come: a key was typed for something else. */
export const hasJustArrived = (): boolean => performance.now() - arrivedAt < ARRIVAL_GUARD_MS

let hastyAt = Number.NEGATIVE_INFINITY

/** Notes that a person decided, or pressed a key too early: the keys that follow at once were meant for something else, too. */
export function noteHaste(): void {
  hastyAt = performance.now()
}

/** Whether a key may belong to what was there before. It must not lead into a text, in which all further keys would end. */
export const isHasty = (): boolean => performance.now() - hastyAt < ARRIVAL_GUARD_MS
