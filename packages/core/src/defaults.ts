import type { TimeoutMs } from './record/timeout.ts'

/** How long a question waits. */
export const DEFAULT_TIMEOUT_MS: TimeoutMs = 'never'

/** What becomes of an answer that was entered and not sent when the time runs out: the agent gets it. */
export const DEFAULT_TIMEOUT_POLICY = 'partial'

/** The folder of questions, answers and runs in a workdir. */
export const DEFAULT_STATE_FOLDER = '.sandagent'
