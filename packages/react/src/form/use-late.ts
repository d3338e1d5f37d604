import { useEffect, useState } from 'react'

/**
 * What `load` brings. It is `undefined` until then, on a server and without `load`, and `null` where it cannot be had.
 *
 * @param load the same function as long as the same is wanted
 */
export function useLate<Late extends object>(
  load: (() => Promise<Late>) | undefined,
): Late | null | undefined {
  const [late, setLate] = useState<Late | null>()
  useEffect(() => {
    let isGone = false
    void load?.()
      .catch(() => null)
      .then((what) => isGone || setLate(what))
    return () => {
      isGone = true
    }
  }, [load])
  return late
}
