/** The exit code by which a shell knows that a signal ended a program: 128 and the signal's number. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

export type EndingSignal = keyof typeof EXIT_CODES

/** How a program is told to stop, and how others tell it. */
export interface Interruption {
  /** Aborts when the program shall stop; its reason is the {@link EndingSignal}. */
  signal: AbortSignal
  /** Stops the program as the signal does. A terminal in raw mode sends no signal for Ctrl-C, and none once it is closed. */
  interrupt(name: EndingSignal): void
}

/** How long a program that stops ignores more signals, in milliseconds: withdrawing a question takes far less. */
export const GRACE_MS = 5000

/**
 * Turns the first SIGINT, SIGTERM or SIGHUP into an abort, so that the work can end in order. More signals follow the
 * first within milliseconds: Ctrl-C reaches a whole group of processes, whose parent then asks its children to stop,
 * too. They are ignored for {@link GRACE_MS}; the next one ends the process at once.
 *
 * The listeners stay: where nobody listens, execa ends this process with the commands that it started.
 */
export function abortOnSignals(
  process: NodeJS.Process,
  now: () => number = () => performance.now(),
): Interruption & { end(name: EndingSignal): void } {
  const stop = new AbortController()
  let stoppedAt = 0
  /** Ends the process as the signal does where nobody listens. */
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

/** The exit code of a program whose work ended; `signal` may have cut it short. */
export const exitCodeAfter = (signal: AbortSignal): number =>
  signal.aborted ? EXIT_CODES[signal.reason as EndingSignal] : 0
