import type { TimeoutMs } from './record/timeout.ts'

/** How long a question waits. */
export const DEFAULT_TIMEOUT_MS: TimeoutMs = 'never'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

// The times that an option changes, named by it. Other times stand beside their use.

/** `quietMs` of `askUser`: how long an answer that can still change must be quiet. */
export const DEFAULT_QUIET_MS = 1500

/** `sweepAfterMs`: how long settled questions are kept. */
export const DEFAULT_SWEEP_AFTER_MS: number = WEEK_MS

/** `olderThanMs` of `pruneRuns`: how long ended runs are kept. */
export const DEFAULT_PRUNE_AFTER_MS: number = WEEK_MS

/** `graceMs` of `stopRun`: how long a run may take to end by itself. */
export const DEFAULT_STOP_GRACE_MS = 5000

/** `expiresInMs` of `createAnswerLink`. */
export const DEFAULT_LINK_LIFETIME_MS: number = WEEK_MS

/** `wakeBeforeMs` of `parkSandbox`: how long before the first deadline a sandbox is woken. */
export const DEFAULT_WAKE_BEFORE_MS = 60_000

/** `patienceMs` of `createInbox`: how long a sandbox may take to reply. */
export const DEFAULT_INBOX_PATIENCE_MS = 5000

/** `pollMs` of a fleet in Postgres: how often a process looks for changes that no notification told. */
export const DEFAULT_POSTGRES_POLL_MS = 1000

/** What becomes of an answer that was entered and not sent when the time runs out: the agent gets it. */
export const DEFAULT_TIMEOUT_POLICY = 'partial'

/** The folder of questions, answers and runs in a workdir. */
export const DEFAULT_STATE_FOLDER = '.sandagent'

/** How long a person can take back an answer that a pick completed, in milliseconds. */
export const UNDO_MS = 2_500

/**
 * A form takes no key and no click for this long after it appeared, in milliseconds: they were meant for what was there
 * before. Too short for anybody to wait for it.
 */
export const ARRIVAL_GUARD_MS = 350

/** The agents of `sandagent run`, as `--agent` names them. */
export const AGENT_NAMES = ['scripted', 'claude', 'codex', 'command', 'acp', 'ag-ui', 'eve'] as const

/** The exit code of a runner whose disk is full: that of input and output in sysexits.h. */
export const NO_ROOM_EXIT_CODE = 74
