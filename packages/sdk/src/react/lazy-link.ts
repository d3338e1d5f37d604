import { AskError, type HostLink, type LinkedSession, systemClock } from '@sandagent/core'

/** Its own module, so that bundlers put what speaks with the host into a file of its own. */
export const loadHostLink = (): Promise<typeof import('./host-link-chunk.ts')> =>
  import('./host-link-chunk.ts')

/** Following begins so much later where the code cannot be had. */
const PAUSE_MS = 5_000

/**
 * A link to the host whose code comes later. Entries count at once, and are stored when it is there. Where it cannot be
 * had, that is a failure like any other: what is stored next, or again, loads it anew.
 */
export function lazyLink(
  session: LinkedSession,
  load: () => Promise<(session: LinkedSession) => HostLink>,
): HostLink {
  let link: HostLink | undefined
  let isStarted = false
  let stop: (() => void) | undefined
  let cancelPause = (): void => {}

  const use = async (act?: (link: HostLink) => void): Promise<void> => {
    if (!link) {
      try {
        const open = await load()
        link ??= open(session)
      } catch (cause) {
        const error = new AskError('UNREACHABLE', 'The answer could not be sent', { cause })
        if (session.getState().goal) session.set({ failed: true, error })
        cancelPause()
        if (isStarted) cancelPause = systemClock.after(PAUSE_MS, () => void use())
        return
      }
    }
    if (isStarted) stop ??= link.start()
    act?.(link)
  }

  return {
    store: (isTyping) => void use(({ store }) => store(isTyping)),
    save: () => link?.save(),
    start() {
      isStarted = true
      void use()
      return () => {
        isStarted = false
        cancelPause()
        stop?.()
        stop = undefined
      }
    },
  }
}
