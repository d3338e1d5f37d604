import type { DraftKeeper } from '@sandagent/core'

/** Keeps a question's draft in the session storage of the tab. Where that throws or is full, there is none. */
export function keepDrafts(toolCallId: string): DraftKeeper {
  const key = `sandagent draft ${toolCallId}`
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
