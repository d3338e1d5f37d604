import type { Clock, QuestionView } from '@sandagent/core'
import { keepConnected } from './keep-connected.ts'

/** Follows questions, until it is told to stop. */
export interface Following {
  /** Follows these questions and no others. Each is reported as it is now, also one that was followed before. */
  want(toolCallIds: readonly string[]): void
  /** Asks anew at once: what was seen last may be old. */
  refresh(): void
  stop(): void
}

/** Opens an event stream of views. */
export type Connect = (toolCallIds: readonly string[], signal: AbortSignal) => Promise<Response>

/** Questions come and go together: how long to wait for more of them, in milliseconds. */
const GATHER_MS = 20

/** The most questions of one connection: their ids have to fit into a URL. */
const MOST_PER_CONNECTION = 50

/**
 * Follows many questions over one connection. A browser opens six to a host over HTTP/1.1, and the answer needs one.
 * Only where the host is an older one, which knows one question per stream, each has its own.
 */
export function followQuestions(
  connect: Connect,
  onView: (view: QuestionView) => void,
  clock: Clock,
): Following {
  let isOneByOne = false
  let wanted: readonly string[] = []
  let connections: (() => void)[] = []
  let cancelOpening = (): void => {}

  const close = (): void => {
    cancelOpening()
    for (const stop of connections) stop()
    connections = []
  }

  const open = (): void => {
    close()
    const onOneByOne = (): void => {
      isOneByOne = true
      open()
    }
    connections = groupsOf(wanted, isOneByOne ? 1 : MOST_PER_CONNECTION).map((group) =>
      keepConnected({
        connect: (signal) => connect(group, signal),
        onView,
        onOneByOne: group.length > 1 ? onOneByOne : undefined,
        clock,
      }),
    )
  }

  return {
    want(toolCallIds) {
      wanted = toolCallIds
      cancelOpening()
      cancelOpening = clock.after(GATHER_MS, open)
    },
    refresh: open,
    stop: close,
  }
}

const groupsOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
