import { type OnWarning, printable, printableLine } from '@sandagent/core/internal'

export type { OnWarning }

/** How many warnings are remembered, and how much of each, in characters. */
const MOST_REMEMBERED = 1000
const MOST_COMPARED = 500

/** How much of a stack is printed, in characters. */
const MOST_PRINTED = 5000

/** Passes on each warning once: hosts read the same files again and again. */
export function onceEach(onWarning: OnWarning): OnWarning {
  const told = new Set<string>()
  return (warning) => {
    const content = JSON.stringify([warning.toolCallId, warning.code, warning.message]).slice(
      0,
      MOST_COMPARED,
    )
    if (told.has(content)) return
    told.add(content)
    const [oldest = ''] = told
    if (told.size > MOST_REMEMBERED) told.delete(oldest)
    onWarning(warning)
  }
}

/** Prints each warning in one line. Text from agents cannot control the terminal or imitate another line. */
export const logWarning: OnWarning = onceEach(({ message, toolCallId }) => {
  const about = toolCallId === undefined ? '' : ` (${toolCallId.slice(0, MOST_COMPARED)})`
  console.error(`sandagent: ${printableLine(`${message}${about}`)}`)
})

/** The failures that were printed: a stream that breaks tells of them, and so does the server that sends it. */
const printed = new WeakSet<Error>()

/**
 * Prints a failure of the host once: its name and message in one line, then the stack, as safely as {@link logWarning}.
 */
export function logError(error: unknown): void {
  if (error instanceof Error) {
    if (printed.has(error)) return
    printed.add(error)
  }
  const { name, message, stack = '', cause } = error instanceof Error ? error : new Error(String(error))
  const why = cause instanceof Error ? ` (${cause.message})` : ''
  const frames = stack.indexOf('\n    at ')
  const where = frames < 0 ? '' : printable(stack.slice(frames, frames + MOST_PRINTED))
  console.error(`sandagent: ${printableLine(`${name}: ${message}${why}`)}${where}`)
}
