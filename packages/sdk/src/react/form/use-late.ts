import { useEffect, useState } from 'react'

/** What `load` brings; nothing until then, on a server, and where it cannot be had. */
export function useLate<Late extends object>(load: () => Promise<Late>): Late | undefined {
  const [late, setLate] = useState<Late>()
  useEffect(() => {
    load().then(setLate, () => {})
  }, [load])
  return late
}
