import type { ProcessEnd, SpawnOptions } from './process.ts'

/** Programs of a sandbox that outlive the process that started them. */
export interface DetachedPrograms {
  /**
   * Starts a program in the workdir, without a shell, in a process group of its own. Its standard input is empty. Its
   * outputs go straight into files: nobody needs to read them, and this process may go.
   *
   * @throws AskError `NOT_FOUND` for an unknown program, `INVALID_REQUEST` for invalid arguments, `CONFLICT` when an output
   *   file exists, `ISOLATION_UNAVAILABLE` when it must be isolated and cannot be.
   */
  start(command: string, args: readonly string[], options: DetachedOptions): Promise<DetachedProgram>
  /** Whether a program still runs, even if another process started it. */
  isRunning(handle: string): Promise<boolean>
  /** Asks a program to end (SIGTERM), if it still runs. */
  interrupt(handle: string): Promise<void>
  /** Kills a program and its process group, also after the program has ended. */
  kill(handle: string): Promise<void>
  /**
   * Resolves when the program has ended, when the files are longer than `bytes` together, or when the signal aborts.
   * Without it, callers look at intervals.
   */
  until?(handle: string, options: UntilOptions): Promise<void>
}

interface UntilOptions {
  /** Relative to the workdir. */
  files: readonly string[]
  bytes: number
  signal: AbortSignal
}

export interface DetachedOptions extends Pick<SpawnOptions, 'env' | 'hosts'> {
  /** New files for the outputs, relative to the workdir. `start` makes their folders. */
  stdout: string
  stderr: string
  /** The program begins when this resolves. It never begins if this rejects, or if this process ends before. */
  beforeStart?: ((handle: string) => Promise<void>) | undefined
}

export interface DetachedProgram {
  /** Names the program, and never another one, in every process on this machine. */
  handle: string
  /** Resolves when the program has ended, if this process still runs; never rejects. */
  ended: Promise<ProcessEnd>
}
