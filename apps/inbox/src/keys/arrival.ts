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
