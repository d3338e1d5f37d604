import {
  AskError,
  type ConnectedSession,
  type DraftKeeper,
  type HostConnection,
  type KeptDraft,
} from '@sandagent/core/internal'

/** Its own module, so that bundlers put what speaks with the host into a file of its own. */
export const loadHostConnection = (): Promise<typeof import('./host-link-chunk.ts')> =>
  import('./host-link-chunk.ts')

/** Following begins so much later where the code cannot be had. */
const PAUSE_MS = 5_000

/**
 * A link to the host whose code comes later. Entries count at once, and are stored when it is there. Where it cannot be
 * had, that is a failure like any other: what is stored next, or again, loads it anew.
 */
export function lazyLink(
  session: ConnectedSession,
  load: () => Promise<(session: ConnectedSession) => HostConnection>,
  drafts: DraftKeeper,
): HostConnection {
  const { getState, getSnapshot, set } = session
  let link: HostConnection | undefined
  let isStarted = false
  let stop: (() => void) | undefined
  let pause: ReturnType<typeof setTimeout> | undefined

  const use = async (act?: (link: HostConnection) => void): Promise<void> => {
    if (!link) {
      try {
        const open = await load()
        link ??= open(session)
      } catch (cause) {
        const error = new AskError('UNREACHABLE', 'The answer could not be sent', { cause })
        if (getState().goal) set({ failed: true, error })
        clearTimeout(pause)
        if (isStarted) pause = setTimeout(use, PAUSE_MS)
        return
      }
    }
    if (isStarted) stop ??= link.start()
    act?.(link)
  }

  /** What is entered outlives the page before its code is there, too: to this page that may never come. */
  const keep = (): void => {
    const { draft, revision } = getState()
    const asked = JSON.stringify(getSnapshot().questions)
    const kept = drafts.read() as KeptDraft | null | undefined
    const before = kept?.asked === asked ? kept : { asked, revision, draft: {}, sent: {} }
    drafts.write({ ...before, draft: { ...before.draft, ...draft }, dirty: true })
  }

  return {
    store(isTyping) {
      if (!link) keep()
      void use(({ store }) => store(isTyping))
    },
    save: () => link?.save(),
    start() {
      isStarted = true
      void use()
      return () => {
        isStarted = false
        clearTimeout(pause)
        stop?.()
        stop = undefined
      }
    },
  }
}
