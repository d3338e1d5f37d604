import { ARRIVAL_GUARD_MS, systemClock } from '@sandagent/core/internal'
import { useEffect, useState } from 'react'

/** Whether a form has been there for a moment. Before that it takes no entries: a key typed blindly is no answer. */
export function useArrivalGuard(isThere: boolean): boolean {
  const [hasArrived, setArrived] = useState(false)
  useEffect(
    () => (isThere ? systemClock.after(ARRIVAL_GUARD_MS, () => setArrived(true)) : undefined),
    [isThere],
  )
  return isThere && hasArrived
}
