import type { RunFiles, SandboxFiles, StateFolderOption } from '@sandagent/files'
import type { DetachedPrograms } from './detached-programs.ts'
import type { SandboxProcess, SpawnOptions } from './process.ts'

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
  readonly hostFolder?: string | undefined
}

/** What answering needs of a sandbox. With `detached` it tells, too, of runs that left their question open. */
export type AnswerableSandbox = Pick<Sandbox, 'files' | 'stateFolder'> &
  Partial<Pick<RunSandbox, 'detached' | 'hostFolder'>>
