/** Exit codes after signals: 128 and the signal's number. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

export type EndingSignal = keyof typeof EXIT_CODES

export interface Interruption {
  /** Aborts when the program must stop. Its reason is the {@link EndingSignal}. */
  signal: AbortSignal
  /** Stops the program as the signal does: a terminal in raw mode sends no signal for Ctrl-C. */
  interrupt(name: EndingSignal): void
}

/** How long further signals are ignored, in milliseconds. Withdrawing a question takes far less. */
export const GRACE_MS = 5000

/**
 * Turns the first SIGINT, SIGTERM or SIGHUP into an abort. Signals within the next {@link GRACE_MS} are ignored: after
 * Ctrl-C, a parent process may send its own signal too. A later one ends the process at once.
 *
 * The listeners stay: without listeners, execa ends this process with its commands.
 */
export function abortOnSignals(
  process: NodeJS.Process,
  now: () => number = () => performance.now(),
): Interruption & { end(name: EndingSignal): void } {
  const stop = new AbortController()
  let stoppedAt = 0
  /** Ends the process as the signal does without listeners. */
  const end = (name: EndingSignal): void => {
    for (const [known, listener] of listeners) process.off(known, listener)
    process.kill(process.pid, name)
  }
  const interrupt = (name: EndingSignal): void => {
    if (!stop.signal.aborted) {
      stoppedAt = now()
      stop.abort(name)
    } else if (now() - stoppedAt > GRACE_MS) end(name)
  }
  const names = Object.keys(EXIT_CODES) as EndingSignal[]
  const listeners = names.map((name) => [name, () => interrupt(name)] as const)
  for (const [name, listener] of listeners) process.on(name, listener)
  return { signal: stop.signal, interrupt, end }
}

export const exitCodeAfter = (signal: AbortSignal): number =>
  signal.aborted ? EXIT_CODES[signal.reason as EndingSignal] : 0
