import type { Responses } from '../answer/response.ts'
import { isObject } from '../lib/objects.ts'
import type { AskedQuestion } from '../question/question.ts'
import type { ApprovalSubject, Asker, OutcomeKind } from './question-record.ts'

/** What a page may know of a question: the host's truth without nonces. JSON of `GET` answers. */
export interface QuestionView {
  toolCallId: string
  toolName?: string
  kind: 'question' | 'approval'
  /** `open`: waits for a person. `sent`: a final answer is stored, the runner has not confirmed it yet. */
  state: 'open' | 'sent' | OutcomeKind
  questions: AskedQuestion[]
  /** A hash of all that is asked, see `questionDigestOf`: an answer that carries it is for what the person saw. */
  questionDigest?: string
  /** Of an answer file: the tool call that it permits. */
  subject?: ApprovalSubject
  /** The agent below the main one that asks. */
  asker?: Asker
  /** The draft, the final answer, or what the agent got, by `state`. */
  responses: Responses
  /** Counts the writes of answers, from 1; 0 for none. */
  revision: number
  /** Whether the stored answer is a refusal. */
  declined: boolean
  /** ISO 8601. */
  askedAt?: string
  settledAt?: string
  /** ISO 8601 by the host's clock, or `null` for never. */
  deadline: string | null
  /** Milliseconds left when the view was made, or `null` for no limit: pages need not share the host's clock. */
  remainingMs: number | null
  answeredBy?: string
  /** ISO 8601: when the final answer was stored. */
  answeredAt?: string
  /** Why the person declined, in their words. */
  reason?: string
  /**
   * Whether the run that asks is gone, and left the question open. It is answered as ever: the run takes the answer up
   * when it is started again, which somebody has to do.
   */
  runEnded?: true
  /**
   * Whether the runner's receipt tells of an answer that the host did not store: somebody in the sandbox wrote one of the
   * two. The runner itself may know better.
   */
  disputed?: true
}

/** Whether a host's answer holds a view. */
export const isQuestionView = (value: unknown): value is QuestionView =>
  isObject(value) &&
  typeof value.state === 'string' &&
  Array.isArray(value.questions) &&
  isObject(value.responses)
