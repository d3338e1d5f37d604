import type { OutcomeKind, Question, TimeoutMs } from '@sandagent/core'
import type { TimeoutPolicy } from '../../ask/read-answer.ts'

/**
 * What the scripted agent does, step by step. In texts, paths, contents and arguments `{{answers.ID}}` stands for
 * the answer to a question, `{{output}}` for what the last command printed, and `{{prompt}}` for what the user
 * asked for; see `fillTemplate`.
 */
export interface Scenario {
  title?: string | undefined
  steps: Step[]
}

/** One thing to do: an object with one key, which says what. */
export type Step =
  | { say: string }
  | { ask: AskStep }
  | { write: WriteStep }
  | { run: RunStep }
  | { when: WhenStep }

/** Asks the user. */
export interface AskStep {
  /** A name for the outcome, for `when`. */
  as?: string | undefined
  questions: Question[]
  /** Milliseconds, or `never`; the run's own when absent. */
  timeoutMs?: TimeoutMs | undefined
  timeoutPolicy?: TimeoutPolicy | undefined
  /** Whether the scenario goes on when the user declines or the time runs out. Default `stop`. */
  ifUnanswered?: 'stop' | 'continue' | undefined
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
}

/** Goes one way or the other. */
export type WhenStep = Condition & { do: Step[]; else?: Step[] }

/** What to look at: the answer to a question, as the labels picked and the text typed, or how an `ask` ended. */
export type Condition =
  | { answer: string; equals: string }
  | { answer: string; includes: string }
  | { outcome: string; is: OutcomeKind[] }
