import { useEffect, useState } from 'react'
import { fetchJson, LinkError } from './api.ts'

export interface Fetched<T> {
  value: T | null
  /** Why there is none, in words for people. */
  problem: string | null
}

/**
 * The JSON at a URL; nothing for `null`. Another version is fetched again. If that fails, the value before stays, unless the
 * link no longer counts.
 */
export function useFetched<T>(url: string | null, version: number, headers?: HeadersInit): Fetched<T> {
  const [fetched, setFetched] = useState<Fetched<T> & { url: string | null }>({ ...NOTHING, url: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is fetched again
  useEffect(() => {
    if (url === null) return
    const leaving = new AbortController()
    fetchJson<T>(url, { signal: leaving.signal, ...(headers && { headers }) }).then(
      (value) => setFetched({ url, value, problem: null }),
      (error: Error) => {
        if (leaving.signal.aborted) return
        setFetched((before) => ({
          url,
          value: before.url === url && !(error instanceof LinkError) ? before.value : null,
          problem: error.message,
        }))
      },
    )
    return () => leaving.abort()
  }, [url, version, headers])
  if (fetched.url === url) return fetched
  const early = url === null ? undefined : prefetched.get(url)
  return early === undefined ? NOTHING : { value: early as T, problem: null }
}

/** What a person will probably look at next, by its URL. */
const prefetched = new Map<string, unknown>()

/** How many values are kept until they are needed. */
const MOST_KEPT = 10

/** Fetches a value that is needed soon, so that it is there at once. Failures are told when it is needed. */
export async function prefetch(url: string, signal: AbortSignal): Promise<void> {
  if (prefetched.has(url)) return
  const value = await fetchJson(url, { signal }).catch(() => undefined)
  if (value === undefined) return
  prefetched.set(url, value)
  for (const old of [...prefetched.keys()].slice(0, -MOST_KEPT)) prefetched.delete(old)
}

const NOTHING = { value: null, problem: null }
