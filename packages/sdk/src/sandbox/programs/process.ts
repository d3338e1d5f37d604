import type { Readable, Writable } from 'node:stream'

export interface SpawnOptions {
  /**
   * Variables of the program, inside the sandbox. They are added to those that the sandbox gives its programs; `undefined`
   * removes one. A `LocalSandbox` gives all variables of this process except the host's signing key; an isolated program
   * gets little more than `PATH` and the language. A sandbox elsewhere gives its own variables, and none of this process.
   */
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** Hosts that the program may reach in addition to those of its sandbox. */
  hosts?: readonly string[] | undefined
  /** When aborted, the program gets SIGTERM, and is killed 5 seconds later. */
  signal?: AbortSignal | undefined
}

export interface SandboxProcess {
  /** Absent when the program could not be started. */
  readonly pid: number | undefined
  readonly stdin: Writable
  /** Must be read or resumed, as must `stderr`: a full pipe stops the program. */
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the program has ended and its output was read to the end; never rejects. */
  readonly ended: Promise<ProcessEnd>
  /** Ends the program as an aborted signal does. */
  kill(): void
}

export interface ProcessEnd {
  /**
   * `null` when a signal ended it, or when it never ran. A sandbox that starts programs through a shell or a container may
   * report a signal as 128 plus its number instead, as shells do: 143 for SIGTERM.
   */
  exitCode: number | null
  /** The signal that ended it, such as `SIGTERM`; `null` when the sandbox reports it as an exit code. */
  signal: string | null
  /** Why the program could not be started, or why its end is not known: the connection to the sandbox was closed. */
  error?: Error
}
