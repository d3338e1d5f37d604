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
        kept
          ? sessionStorage.setItem(key, JSON.stringify(kept, withoutSecrets))
          : sessionStorage.removeItem(key),
      )
    },
  }
}

/** A secret is typed again. Even encrypted, it stays in its field until it is sent. */
function withoutSecrets(this: { selected?: unknown }, key: string, value: unknown): unknown {
  return key === 'sealed' && this.selected ? undefined : value
}

/** Browsers block storage in private windows and sandboxed frames. That must not break the page. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
