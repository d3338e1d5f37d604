import { ARRIVAL_GUARD_MS } from '@sandagent/core/internal'
import { useEffect, useState } from 'react'

/** Whether a form has been there for a moment. Before that it takes no entries: a key typed blindly is no answer. */
export function useArrivalGuard(isThere: boolean): boolean {
  const [hasArrived, setArrived] = useState(false)
  useEffect(() => {
    const timer = isThere ? setTimeout(() => setArrived(true), ARRIVAL_GUARD_MS) : undefined
    return () => clearTimeout(timer)
  }, [isThere])
  return isThere && hasArrived
}
