import type { OtherPerson } from '@sandagent/core'
import { useEffect, useRef, useState } from 'react'

/** The people who have begun to answer since the last announcement. Each person is announced once. */
export function useArrivals(others: readonly OtherPerson[]): readonly OtherPerson[] {
  const known = useRef(new Set<string>())
  const [arrivals, setArrivals] = useState<readonly OtherPerson[]>([])
  useEffect(() => {
    const fresh = others.filter(({ id, isTyping }) => isTyping && !known.current.has(id))
    if (fresh.length === 0) return
    for (const { id } of fresh) known.current.add(id)
    setArrivals(fresh)
  }, [others])
  return arrivals
}
