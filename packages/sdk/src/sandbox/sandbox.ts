import type { RunLogs } from '@sandagent/core/store'
import type { RunFiles, SandboxFiles, StateFolderOption } from '@sandagent/files'
import type { DetachedPrograms } from './detached-programs.ts'
import type { OwnChannel } from './own-channel.ts'
import type { SandboxProcess, SpawnOptions } from './process.ts'

/** Where an agent works: a folder, and processes in it. {@link LocalSandbox} is the one on this machine. */
export interface Sandbox extends StateFolderOption {
  /** The agent's folder, as an absolute path inside the sandbox. */
  readonly workdir: string
  /** The files of that folder, including questions and answers. */
  readonly files: SandboxFiles
  /**
   * After which time the host removes answers whose question is gone, and the runners of `startRun` settled questions. See
   * `SweepOption`. Default seven days.
   */
  readonly sweepAfterMs?: number | false | undefined
  /** Starts a program in the workdir, without a shell. If it cannot be started, {@link SandboxProcess.ended} says so. */
  spawn(command: string, args?: readonly string[], options?: SpawnOptions): Promise<SandboxProcess>
}

/** A sandbox in which runs outlive their host, see `startRun`. */
export interface RunSandbox extends Sandbox {
  readonly files: RunFiles
  readonly detached: DetachedPrograms
  /**
   * The workdir on this machine, as an absolute path without links; absent for a sandbox elsewhere. The host's keys must be
   * outside of it. Only with it do agents get variables of this process by default.
   */
  readonly hostFolder?: string | undefined
  /** For a sandbox elsewhere that does the host's work with questions itself. */
  readonly ownChannel?: OwnChannel | undefined
  /** For a sandbox elsewhere that can sleep. */
  readonly connection?: SandboxConnection | undefined
}

/** The connection to a sandbox elsewhere. */
export interface SandboxConnection {
  /** Ends the connection, so that nothing wakes the sandbox. Requests wait until `resume`. */
  pause(): void
  resume(): void
}

/**
 * What answering needs of a sandbox: `files` with the members of {@link SandboxFiles}. With `detached`, views also say
 * whether the run of an open question has ended. `startRun` and `stopRun` need a {@link RunSandbox}.
 */
export type AnswerableSandbox = Pick<Sandbox, 'files' | 'stateFolder' | 'sweepAfterMs'> &
  Partial<Pick<RunSandbox, 'detached' | 'hostFolder' | 'ownChannel'>> & {
    /** The logs of its runs, where a fleet keeps them. */
    readonly logs?: SandboxLogs | undefined
  }

/** What is read of the logs of a sandbox's runs. A run of another sandbox has none. */
export type SandboxLogs = Pick<RunLogs, 'lastAttempt' | 'tail' | 'pieces'>
