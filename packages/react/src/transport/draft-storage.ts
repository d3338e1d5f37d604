import type { DraftKeeper } from '@sandagent/core/internal'

/**
 * Keeps the draft of a question in the session storage of the tab. If the page names the person, only this person sees
 * it again. If storage throws or is full, no draft is kept.
 */
export function createDraftStorage(toolCallId: string, userId?: string): DraftKeeper {
  const key = `sandagent draft ${userId === undefined ? '' : `${JSON.stringify(userId)} `}${toolCallId}`
  return {
    read: () => attempt(() => JSON.parse(sessionStorage.getItem(key) ?? 'null')),
    write(kept) {
      attempt(() =>
        kept ? sessionStorage.setItem(key, JSON.stringify(kept)) : sessionStorage.removeItem(key),
      )
    },
  }
}

/** Browsers block storage in private windows and sandboxed frames. That must not break the page. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
