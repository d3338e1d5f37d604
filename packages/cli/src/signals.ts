/** The exit code by which a shell knows that a signal ended a program: 128 and the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

export type EndingSignal = keyof typeof EXIT_CODES

/** How a program is told to stop, and how others tell it. */
export interface Interruption {
  /** Aborts when the program shall stop; its reason is the {@link EndingSignal}. */
  signal: AbortSignal
  /** Stops the program as Ctrl-C does; a terminal in raw mode sends no signal for it. */
  interrupt(): void
}

/**
 * Turns the first SIGINT or SIGTERM into an abort, so that the work can end in order. The same one again ends the
 * process; the other one does not, because Ctrl-C reaches a whole group whose parent then asks its children to stop.
 * The listeners stay until then: where nobody listens, execa ends this process with the commands that it started.
 */
export function abortOnSignals(process: NodeJS.Process): Interruption & { release(): void } {
  const stop = new AbortController()
  const release = (): void => {
    for (const [name, listener] of listeners) process.off(name, listener)
  }
  const end = (name: EndingSignal) => (): void => {
    if (stop.signal.reason === name) {
      release()
      process.kill(process.pid, name)
    }
    stop.abort(name)
  }
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((name) => [name, end(name)] as const)
  for (const [name, listener] of listeners) process.on(name, listener)
  return { signal: stop.signal, interrupt: end('SIGINT'), release }
}

/** The exit code of a program whose work ended; `signal` may have cut it short. */
export const exitCodeAfter = (signal: AbortSignal): number =>
  signal.aborted ? EXIT_CODES[signal.reason as EndingSignal] : 0
