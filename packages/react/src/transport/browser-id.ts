const KEY = 'sandagent browser'

/** The id if the browser keeps nothing for pages. */
const fallback = randomId()

/**
 * A random id of this browser. It tells people apart if the host does not know their names. Where each tab may belong to
 * another person, it is an id of the tab.
 */
export function browserId(isSharedByTabs: boolean): string {
  try {
    const storage = isSharedByTabs ? localStorage : sessionStorage
    const id = storage.getItem(KEY) ?? randomId()
    storage.setItem(KEY, id)
    return id
  } catch {
    // Browsers block storage in private windows and sandboxed frames.
    return fallback
  }
}

/** Not `crypto.randomUUID`: browsers have it on secure pages only. The id is no secret. */
export function randomId(): string {
  return [Math.random(), Math.random()].map((part) => part.toString(36).slice(2)).join('')
}
