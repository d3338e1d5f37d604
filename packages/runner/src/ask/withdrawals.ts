interface Call {
  signal: AbortSignal
  ended: Promise<void>
}

/** The calls under way that can be withdrawn, by their ids: a program may have several channels to one store. */
const underWay = new Map<string, Set<Call>>()

/**
 * Asks once every withdrawn call with this id has ended. Otherwise it would take up the question that ends, and nobody could
 * answer it.
 *
 * @param signal withdraws the call itself
 */
export function afterWithdrawals<T>(
  toolCallId: string,
  signal: AbortSignal | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  const calls = underWay.get(toolCallId) ?? new Set()
  const withdrawn = [...calls].filter(({ signal }) => signal.aborted)
  const outcome = withdrawn.length > 0 ? Promise.all(withdrawn.map(({ ended }) => ended)).then(ask) : ask()
  if (!signal) return outcome
  const forget = (): void => {
    calls.delete(call)
    if (calls.size === 0) underWay.delete(toolCallId)
  }
  const call = { signal, ended: outcome.then(forget, forget) }
  underWay.set(toolCallId, calls.add(call))
  return outcome
}
