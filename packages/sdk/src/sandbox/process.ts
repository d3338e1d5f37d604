import type { Readable, Writable } from 'node:stream'

export interface SpawnOptions {
  /**
   * Set beside the environment of this process, of which an isolated program gets little more than `PATH` and the
   * language; `undefined` takes a variable away.
   */
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** Hosts that the program may reach beside those of its sandbox, where the sandbox limits that. */
  hosts?: readonly string[] | undefined
  /** Ends the program when aborted: asks first, and kills it when it is still there 5 seconds later. */
  signal?: AbortSignal | undefined
}

/** A program that was started. */
export interface SandboxProcess {
  /** Absent when the program could not be started. */
  readonly pid: number | undefined
  readonly stdin: Writable
  /** To be read or resumed: a full pipe stops the program. So is `stderr`. */
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the program is gone and its output was read to the end; never rejects. */
  readonly ended: Promise<ProcessEnd>
  /** Ends the program as an aborted signal does. */
  kill(): void
}

/** How a program ended. */
export interface ProcessEnd {
  /** `null` when a signal ended it, or when it never ran. */
  exitCode: number | null
  /** The signal that ended it, such as `SIGTERM`. */
  signal: string | null
  /** Why it could not be started, such as a command that does not exist. */
  error?: Error
}
