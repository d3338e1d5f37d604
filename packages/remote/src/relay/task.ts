import type { CallName, Calls } from '../protocol/calls.ts'

interface Task<N extends CallName> {
  /** An earlier relay may have carried out the same request. */
  again: boolean
  /** Aborts when the host cancels the request, and when the connection ends. */
  signal: AbortSignal
  /** Sends an event. Resolves when the host has room for the next one. */
  emit(event: Calls[N]['event']): Promise<void>
  /** Sets what is called with each input of the host. */
  onInput(take: (input: unknown) => void): void
}

export type Handler<N extends CallName> = (
  args: Calls[N]['args'],
  task: Task<N>,
) => Promise<Calls[N]['value']>

export type Handlers = { readonly [N in CallName]: Handler<N> }

/** The handlers of some calls. Their names give the types of their arguments. */
export const handlersOf = <N extends CallName>(some: Pick<Handlers, N>): Pick<Handlers, N> => some
