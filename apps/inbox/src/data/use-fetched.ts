import { useEffect, useState } from 'react'
import { fetchJson } from './api.ts'

export interface Fetched<T> {
  value: T | null
  /** Why there is none, in the words of the server. */
  problem: string | null
}

/** The JSON at a URL; nothing for `null`. Another version is fetched again. If that fails, the value before stays. */
export function useFetched<T>(url: string | null, version: number): Fetched<T> {
  const [fetched, setFetched] = useState<Fetched<T> & { url: string | null }>({ ...NOTHING, url: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is fetched again
  useEffect(() => {
    if (url === null) return
    const leaving = new AbortController()
    fetchJson<T>(url, leaving.signal).then(
      (value) => setFetched({ url, value, problem: null }),
      (error: Error) => {
        if (leaving.signal.aborted) return
        setFetched((before) => ({
          url,
          value: before.url === url ? before.value : null,
          problem: error.message,
        }))
      },
    )
    return () => leaving.abort()
  }, [url, version])
  return fetched.url === url ? fetched : NOTHING
}

const NOTHING = { value: null, problem: null }
