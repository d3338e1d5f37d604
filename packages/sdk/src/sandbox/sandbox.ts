import type { QuestionRecord } from '@sandagent/core/internal'
import type { HostQuestions, RunLogs } from '@sandagent/core/store'
import type { RunFiles, SandboxFiles, StateFolderOption } from '@sandagent/files'
import type { DetachedPrograms } from './programs/detached-programs.ts'
import type { SandboxProcess, SpawnOptions } from './programs/process.ts'

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
export interface RunSandbox extends Sandbox, Partial<StoredSandbox> {
  readonly files: RunFiles
  readonly detached: DetachedPrograms
  /**
   * The workdir on this machine, as an absolute path without links; absent for a sandbox elsewhere. The host's keys must be
   * outside of it. Only with it do agents get variables of this process by default.
   */
  readonly hostFolder?: string | undefined
  /** For a sandbox elsewhere that can sleep. */
  readonly connection?: SandboxConnection | undefined
}

/** The connection to a sandbox elsewhere. */
export interface SandboxConnection {
  /** Ends the connection, so that nothing wakes the sandbox. Requests wait until `resume`. */
  pause(): void
  resume(): void
}

/** What is known of the runs of a sandbox whose questions are in a store. */
export interface RunFacts {
  /**
   * The ids of the keys that a run was started with; `undefined` for a run without keys, or an unknown one.
   *
   * @param named the ids that the runner names in its question. If they are those that were read before, nobody need read again
   */
  keyIds(runId: string, named?: readonly string[]): Promise<readonly string[] | undefined>
  /** Who started a run. Default: as the record of the run says, in the sandbox's files. */
  owner?(runId: string): Promise<string | undefined>
  /** Whether the run that asks has ended. Default: the store knows. */
  hasEnded?(record: QuestionRecord): Promise<boolean>
}

/** The questions of a sandbox in a store, such as one behind a relay or in a database. */
interface StoredSandbox {
  readonly questions: HostQuestions
  readonly runs: RunFacts
}

interface SandboxFacts extends Partial<Pick<RunSandbox, 'detached' | 'hostFolder'>> {
  /** Names a sandbox without files: the same for all objects of one sandbox. */
  readonly id?: string | undefined
  readonly stateFolder?: string | undefined
  readonly sweepAfterMs?: number | false | undefined
  /** The logs of its runs, where a fleet keeps them. */
  readonly logs?: SandboxLogs | undefined
}

/**
 * What answering needs of a sandbox: `files` with the members of {@link SandboxFiles}, or a store. With `detached`, views also
 * say whether the run of an open question has ended. `startRun` and `stopRun` need a {@link RunSandbox}.
 */
export type AnswerableSandbox = FileSandbox | (SandboxFacts & StoredSandbox & { readonly files?: undefined })

/** A sandbox whose files this host reads. */
export type FileSandbox = SandboxFacts & Partial<StoredSandbox> & { readonly files: SandboxFiles }

/** What is read of the logs of a sandbox's runs. A run of another sandbox has none. */
export type SandboxLogs = Pick<RunLogs, 'lastAttempt' | 'tail' | 'pieces'>
