/** What the page does when the host does not let the person see a question, by tool call. */
const listeners = new Map<string, Set<() => void>>()

/** Calls back when the host refuses to show a question, until the returned function is called. */
export function onRefusal(toolCallId: string, callback: () => void): () => void {
  const callbacks = listeners.get(toolCallId) ?? new Set()
  listeners.set(toolCallId, callbacks.add(callback))
  return () => {
    callbacks.delete(callback)
    if (callbacks.size === 0) listeners.delete(toolCallId)
  }
}

export function reportRefusals(toolCallIds: readonly string[]): void {
  for (const toolCallId of toolCallIds)
    for (const callback of [...(listeners.get(toolCallId) ?? [])]) callback()
}

/** The questions that the person may not see, from the first event of a stream. */
export function refusedIn({ refused }: Record<string, unknown>): string[] {
  const entries = (Array.isArray(refused) ? refused : []) as { toolCallId?: unknown; code?: unknown }[]
  return entries
    .filter((entry) => entry?.code === 'UNAUTHENTICATED' || entry?.code === 'FORBIDDEN')
    .map(({ toolCallId }) => String(toolCallId))
}
