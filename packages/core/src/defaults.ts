import type { TimeoutMs } from './record/timeout.ts'

/** How long a question waits. */
export const DEFAULT_TIMEOUT_MS: TimeoutMs = 'never'

/** What becomes of an answer that was entered and not sent when the time runs out: the agent gets it. */
export const DEFAULT_TIMEOUT_POLICY = 'partial'

/** The folder of questions, answers and runs in a workdir. */
export const DEFAULT_STATE_FOLDER = '.sandagent'

/** How long a person can take back an answer that a pick completed, in milliseconds. */
export const UNDO_MS = 2_500

/** Typing must pause this long before a draft is saved, in milliseconds. */
export const DRAFT_DELAY_MS = 300

/**
 * A form takes no key and no click for this long after it appeared, in milliseconds: they were meant for what was there
 * before. Too short for anybody to wait for it.
 */
export const ARRIVAL_GUARD_MS = 350

/** The exit code of a runner whose disk is full: that of input and output in sysexits.h. */
export const NO_ROOM_EXIT_CODE = 74
