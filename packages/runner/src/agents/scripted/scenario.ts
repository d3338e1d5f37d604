import type { OutcomeKind, Question, TimeoutMs } from '@sandagent/core'
import type { TimeoutPolicy } from '../../ask/read-answer.ts'

/**
 * The steps of the scripted agent. In texts, paths, contents and arguments, `{{answers.ID}}` stands for the answer to a
 * question, `{{output}}` for the output of the last command, and `{{prompt}}` for the prompt; see `fillTemplate`.
 */
export interface Scenario {
  title?: string | undefined
  steps: Step[]
}

/** An object with one key, which says what to do. */
export type Step =
  | { say: string }
  | { ask: AskStep }
  | { write: WriteStep }
  | { run: RunStep }
  | { when: WhenStep }

export interface AskStep {
  /** A name of the outcome, for `when`. */
  as?: string | undefined
  questions: Question[]
  /** In milliseconds. Default: that of the run. */
  timeoutMs?: TimeoutMs | undefined
  timeoutPolicy?: TimeoutPolicy | undefined
  /** What to do when the user declines or the time runs out. Default `stop`. */
  ifUnanswered?: 'stop' | 'continue' | undefined
  /** What to say when the user asks back. Then it is asked again. Without it, the user cannot ask back. */
  explain?: string | undefined
}

/** Writes a file in the workdir; its folders are made. */
export interface WriteStep {
  /** Relative to the workdir. */
  path: string
  /** The text, or its lines. */
  content: string | string[]
}

/** Runs a command in the workdir, without a shell. */
export interface RunStep {
  command: string
  args?: string[] | undefined
  /**
   * Whether a person must allow it first. Without an approval the command does not run, and the scenario goes on. `when`
   * finds `allowed` or `denied` as the answer `permission`. Default false.
   */
  needsApproval?: boolean | undefined
  /** Why, in the agent's words: the person who is asked reads it. */
  reason?: string | undefined
  /** As in `AskStep`, with `needsApproval`. */
  explain?: string | undefined
}

export type WhenStep = Condition & { do: Step[]; else?: Step[] | undefined }

/** Checks the answer to a question (picked labels and typed text), or the outcome of an `ask`. */
export type Condition =
  | { answer: string; equals: string }
  | { answer: string; includes: string }
  | { outcome: string; is: OutcomeKind[] }
