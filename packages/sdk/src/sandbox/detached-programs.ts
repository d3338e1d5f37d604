import type { ProcessEnd, SpawnOptions } from './process.ts'

/** Programs of a sandbox that outlive the process that started them. */
export interface DetachedPrograms {
  /**
   * Starts a program in the workdir, without a shell and without input, in a process group of its own. Its outputs go
   * straight into files: nobody needs to read them, and this process may go.
   *
   * @throws AskError `NOT_FOUND` when there is no such program, `INVALID_REQUEST` when it cannot be given these arguments,
   *   `CONFLICT` when an output file exists, `ISOLATION_UNAVAILABLE` when it must be isolated and cannot be.
   */
  start(command: string, args: readonly string[], options: DetachedOptions): Promise<DetachedProgram>
  /** Whether a program still runs, whoever started it. */
  isRunning(handle: string): Promise<boolean>
  /** Asks a program to end (SIGTERM); one that is gone is fine. */
  interrupt(handle: string): Promise<void>
  /** Ends a program and everything that it started in its process group, also what it left behind. */
  kill(handle: string): Promise<void>
}

export interface DetachedOptions extends Pick<SpawnOptions, 'env' | 'hosts'> {
  /** New files for the outputs, relative to the workdir. */
  stdout: string
  stderr: string
  /**
   * Called with the program's handle before the program begins. The program begins when this has resolved. It never begins
   * when this rejects, or when this process ends before.
   */
  beforeStart?: ((handle: string) => Promise<void>) | undefined
}

export interface DetachedProgram {
  /** Names the program from now on, in every process on this machine, and never another one. */
  handle: string
  /** Resolves when the program is gone, as long as this process is there; never rejects. */
  ended: Promise<ProcessEnd>
}
