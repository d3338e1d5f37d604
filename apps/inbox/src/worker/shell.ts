declare const self: ServiceWorkerGlobalScope

/** The paths of what the page loads, and their version. The build fills them in. */
declare const SHELL: readonly string[]
declare const VERSION: string

const PATHS = SHELL
const CACHE = `shell ${VERSION}`

export async function cacheShell(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll(PATHS)
}

export async function forgetOldShells(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
}

/**
 * Takes the parts of the page from the cache, and shows a plain page if the server cannot be reached. Questions and answers are
 * not cached: everything else goes to the server as if there were no worker.
 */
export function answerOffline(event: FetchEvent): void {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (pathname === '/') event.respondWith(fetch(request).catch(() => cached('/offline')))
  } else if (PATHS.includes(pathname)) event.respondWith(cached(pathname))
}

const cached = async (path: string): Promise<Response> =>
  (await caches.match(path, { cacheName: CACHE })) ?? fetch(path)
