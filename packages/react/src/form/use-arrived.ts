import { useEffect, useState } from 'react'

/** Long enough for a key or a click that was meant for what was there before; too short to be waited for. */
const ARRIVAL_MS = 350

/** Whether what appeared has been there for a moment. Before, it takes nothing: a key typed blindly is no answer. */
export function useArrived(isThere: boolean, afterMs: number = ARRIVAL_MS): boolean {
  const [hasArrived, setArrived] = useState(false)
  useEffect(() => {
    const timer = isThere ? setTimeout(() => setArrived(true), afterMs) : undefined
    return () => clearTimeout(timer)
  }, [isThere, afterMs])
  return isThere && hasArrived
}
