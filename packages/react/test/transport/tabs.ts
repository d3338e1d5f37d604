import type { TabPlatform } from '../../src/transport/tab-leader.ts'

/** What the tabs of one browser have in common, and each tab's own. */
export interface FakeBrowser {
  openTab(): TabPlatform & { isLookedAt: boolean; crash(): void }
}

interface Request {
  task: () => Promise<void>
  resolve(): void
  reject(error: unknown): void
}

/** Locks as browsers have them, in memory: one holder, a queue, and theft. */
export function fakeBrowser(): FakeBrowser {
  const held = new Map<string, Request>()
  const queues = new Map<string, Request[]>()

  const release = (name: string, request: Request): void => {
    if (held.get(name) !== request) return
    held.delete(name)
    grantNext(name)
  }
  const grant = (name: string, request: Request): void => {
    held.set(name, request)
    request.task().then(
      () => {
        request.resolve()
        release(name, request)
      },
      (error) => {
        request.reject(error)
        release(name, request)
      },
    )
  }
  const grantNext = (name: string): void => {
    const next = queues.get(name)?.shift()
    if (next) grant(name, next)
  }

  const openTab = () => {
    const own = new Set<[string, Request]>()
    const tab = {
      isLookedAt: false,
      isVisible: () => tab.isLookedAt,
      openChannel: (name: string) => new BroadcastChannel(name),
      locks: {
        request: ((name: string, { signal, steal }: LockOptions, task: () => Promise<void>) =>
          new Promise<void>((resolve, reject) => {
            const request: Request = { task: async () => task(), resolve, reject }
            own.add([name, request])
            signal?.addEventListener('abort', () => {
              const queue = queues.get(name) ?? []
              if (!queue.includes(request)) return
              queue.splice(queue.indexOf(request), 1)
              reject(signal.reason)
            })
            queueMicrotask(() => {
              if (signal?.aborted) return reject(signal.reason)
              const holder = held.get(name)
              if (steal && holder) holder.reject(new DOMException('stolen', 'AbortError'))
              if (steal || !holder) grant(name, request)
              else queues.set(name, [...(queues.get(name) ?? []), request])
            })
          })) as LockManager['request'],
      },
      /** The browser gives up what a tab held that is gone. */
      crash() {
        for (const [name, request] of own) release(name, request)
      },
    }
    return tab
  }
  return { openTab }
}
