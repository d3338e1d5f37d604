import { useEffect, useState } from 'react'

/** How often a changing URL is fetched again. */
const POLL_MS = 500
const QUIET_POLL_MS = 5000

/** The response of a URL, read with `read`; `null` before. It is fetched repeatedly, more often while `isLive`. */
export function useFetched<T>(
  url: string | null,
  read: (response: Response) => Promise<T>,
  isLive: boolean,
): T | null {
  const [fetched, setFetched] = useState<{ url: string; value: T } | null>(null)

  useEffect(() => {
    if (url === null) return
    const stop = new AbortController()
    const load = async (): Promise<void> => {
      const response = await fetch(url, { signal: stop.signal })
      if (response.ok) setFetched({ url, value: await read(response) })
    }
    const loop = async (): Promise<void> => {
      // The chat shows that the server is gone. Here the last state stays.
      await load().catch(() => {})
      if (stop.signal.aborted) return
      // The host may record an ending a moment later.
      timer = setTimeout(() => void loop(), isLive ? POLL_MS : QUIET_POLL_MS)
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    void loop()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [url, read, isLive])

  return fetched !== null && fetched.url === url ? fetched.value : null
}

export const readJson = <T>(response: Response): Promise<T> => response.json()
export const readText = (response: Response): Promise<string> => response.text()
