import type { Readable, Writable } from 'node:stream'

/** A program inside the sandbox, and its streams: what a kind of sandbox has to provide. */
export interface Connection {
  /** The program's standard input. */
  stdin: Writable
  /** The program's standard output, as bytes. */
  stdout: Readable
  /** Resolves when the program or the connection has ended; to the reason, as a sentence for people, if there is one. */
  closed: Promise<string | undefined>
  /** Ends the connection at once. Default: `stdin` and `stdout` are destroyed. */
  end?: (() => void) | undefined
}

/**
 * Starts a program inside the sandbox, without a shell. It is called for the first request, and again after the connection
 * was lost. It rejects if the sandbox cannot be reached.
 *
 * @param argv the program, then its arguments
 */
export type Connect = (argv: readonly [string, ...string[]]) => Connection | Promise<Connection>
