import type { Readable, Writable } from 'node:stream'
import type { RunFiles, SandboxFiles, StateFolderOption } from '@sandagent/files'
import type { DetachedPrograms } from './detached-programs.ts'

/** Where an agent works: a folder, and processes in it. {@link LocalSandbox} is the one on this machine. */
export interface Sandbox extends StateFolderOption {
  /** The folder that the agent works in, as an absolute path inside the sandbox. */
  readonly workdir: string
  /** The files of that folder; questions and answers travel through them. */
  readonly files: SandboxFiles
  /**
   * Starts a program in the workdir, without a shell. It resolves as soon as the program runs, or could not be
   * started: that too is told by {@link SandboxProcess.ended}.
   */
  spawn(command: string, args?: readonly string[], options?: SpawnOptions): Promise<SandboxProcess>
}

/** A sandbox in which runs outlive their host, see `startRun`. */
export interface RunSandbox extends Sandbox {
  readonly files: RunFiles
  readonly detached: DetachedPrograms
  /**
   * Where the workdir is on this machine, as an absolute path without links; absent for a sandbox elsewhere. No key of the
   * host may be in it, and only a sandbox that has it gets variables of this process's environment unasked.
   */
  readonly hostFolder?: string
}

/** What answering needs of a sandbox. With `detached` it tells, too, of runs that left their question open. */
export type AnswerableSandbox = Pick<Sandbox, 'files' | 'stateFolder'> &
  Partial<Pick<RunSandbox, 'detached' | 'hostFolder'>>

export interface SpawnOptions {
  /**
   * Set beside the environment of this process, of which an isolated program gets little more than `PATH` and the
   * language; `undefined` takes a variable away.
   */
  env?: Readonly<Record<string, string | undefined>>
  /** Hosts that the program may reach beside those of its sandbox, where the sandbox limits that. */
  hosts?: readonly string[]
  /** Ends the program when aborted: asks first, and kills it when it is still there 5 seconds later. */
  signal?: AbortSignal
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
