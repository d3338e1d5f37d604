/** Who wants to know that the host does not let the person see a question. */
const listeners = new Set<{ toolCallId: string; callback: () => void }>()

/** Calls back when the host refuses to show a question, until the returned function is called. */
export function onRefusal(toolCallId: string, callback: () => void): () => void {
  const listener = { toolCallId, callback }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function reportRefusals(toolCallIds: readonly string[]): void {
  for (const listener of [...listeners]) if (toolCallIds.includes(listener.toolCallId)) listener.callback()
}

/** The questions that the person may not see, from the first event of a stream. */
export function refusedIn({ refused }: Record<string, unknown>): string[] {
  const entries = (Array.isArray(refused) ? refused : []) as { toolCallId?: unknown; code?: unknown }[]
  return entries
    .filter((entry) => entry?.code === 'UNAUTHENTICATED' || entry?.code === 'FORBIDDEN')
    .map(({ toolCallId }) => String(toolCallId))
}
