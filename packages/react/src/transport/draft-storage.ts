import type { DraftKeeper } from '@sandagent/core/internal'

/**
 * Keeps a question's draft in the session storage of the tab, for the person with this id alone, where the page says
 * who that is. Where storage throws or is full, there is none.
 */
export function keepDrafts(toolCallId: string, userId?: string): DraftKeeper {
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

/** Browsers refuse storage in private windows and sandboxed frames, and a draft is no reason to break a page. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
