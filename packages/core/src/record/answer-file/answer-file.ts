// Why it is so: docs/decisions/0018-a-nonce-binds-an-answer.md

import type { AnswerStatus } from '../../answer/answer-status.ts'
import { type AnswerTexts, decodeAnswers } from '../../answer/answer-text.ts'
import type { Responses } from '../../answer/response.ts'
import { type ExcludesEarlier, isEarlier } from '../../compat/earlier-answers.ts'
import { AskError } from '../../lib/errors.ts'
import type { AskedQuestion, Question } from '../../question/question.ts'
import type { AuthoredDraft } from '../people/author.ts'
import type { PolicyRule } from '../people/policy-rule.ts'
import type { Vote } from '../people/vote.ts'
import type { QuestionRecord } from '../question-record.ts'

/**
 * The content of `.sandagent/approvals/NAME.json`, which only the host writes: the four keys of the SandAgent document,
 * and the keys that bind the answer to its question. Older writers write the four keys only.
 */
export interface AnswerFile {
  questions: Question[]
  /** Answers as text by question text, see `encodeAnswers`. */
  answers: AnswerTexts
  status: AnswerStatus
  /** ISO 8601: when it was written. */
  timestamp: string
  /**
   * Set for a complete answer that came without a status. The next answer replaces it until the runner has taken it. Its
   * status is `completed`, so that older runners take it.
   */
  replaceable?: true
  version?: 1
  toolCallId?: string
  /** The nonce of the question that it answers. */
  nonce?: string
  /** What was asked, as the host found it when it was answered: see `questionDigestOf`. */
  questionDigest?: string
  /** Counts the writes for one question, from 1. */
  revision?: number
  /** The answers without loss, by question id. */
  responses?: Responses
  /** Who answered, as the host authenticated them. */
  answeredBy?: string
  /** Without `answeredBy`, and for the answer over a link: the id of the browser that answered. */
  browser?: string
  /** Of a draft: the drafts of other people, the newest first. The agent gets none of them. */
  otherDrafts?: AuthoredDraft[]
  /** Under a policy: the rule for this question. A final answer meets it. */
  rule?: PolicyRule
  /**
   * Under a policy: who gave the answer. While more people must give the same, the answer file is a draft without responses.
   */
  votes?: Vote[]
  /** Why the person declined, in their words, or what they ask back. */
  reason?: string
  /** The grant by which the host gave the answer: `answeredBy` had given it before. */
  grant?: GrantName
  /** With the status `declined`: the person has not decided. They ask what `reason` says. */
  asksBack?: true
  /** The host's signature: a JWT of `AnswerClaims`, for runners that were given the host's public keys. */
  signature?: string
}

/** Names a grant of the host: a permission that a person gave before, for calls like this one. */
export interface GrantName {
  id: string
  /** What the grant covers, in plain words. The host makes them of the grant's facts. */
  covers: string
}

/** What binds an answer file to its question. Older writers write none of it. */
export type BindingKey = 'version' | 'toolCallId' | 'nonce' | 'questionDigest' | 'revision' | 'responses'

/** What follows from the rest and from the question. */
type DerivedKey = 'questions' | 'answers' | 'signature'

/**
 * What a host signs of an answer, a draft or a refusal: all that an answer file says, and the run that asks.
 * `AnswerFile.signature` is a JWT of these claims with `iat` and `exp`, see `docs/guides/security.md#signing`.
 */
export type AnswerClaims = Omit<AnswerFile, DerivedKey | BindingKey> &
  Required<Pick<AnswerFile, BindingKey>> & {
    /** The run that asks. */
    runId: string
  }

/** The responses of an answer file to the questions as recorded; those of an older writer are read from its text. */
export const responsesOf = (answerFile: AnswerFile, questions: readonly AskedQuestion[]): Responses =>
  answerFile.responses ?? decodeAnswers(questions, answerFile.answers)

/**
 * Whether an answer file is for the question as it is asked now. A file with another nonce was given to an earlier question
 * under the same id. Older writers write no nonce. Their answers count if they were stored after the question was asked.
 * But they permit no tool call, because nothing in them says which call was meant.
 */
export const isMeantFor = (
  answerFile: AnswerFile,
  record: Pick<QuestionRecord, 'nonce' | 'kind'> & ExcludesEarlier,
): boolean =>
  answerFile.nonce === undefined
    ? record.kind !== 'approval' && !isEarlier(answerFile, record)
    : answerFile.nonce === record.nonce

/** The signed content of an answer file; `null` for a file that the host did not write. */
export type Authenticate = (answerFile: AnswerFile, record: QuestionRecord) => Promise<AnswerFile | null>

/** The error for an answer that comes after another one. */
export function answerConflict(first: AnswerFile | null | undefined): AskError {
  const { answeredBy, timestamp, status } = first ?? {}
  const facts = { answeredBy, ...(first && { timestamp, status }) }
  return new AskError('CONFLICT', 'Another answer came first', { facts })
}
