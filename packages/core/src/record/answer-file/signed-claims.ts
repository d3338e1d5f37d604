import * as v from 'valibot'
import { type AnswerStatus, answerStatusSchema } from '../../answer/answer-status.ts'
import { encodeAnswers } from '../../answer/answer-text.ts'
import { responsesSchema } from '../../answer/parse-responses.ts'
import type { Responses } from '../../answer/response.ts'
import { digestOf } from '../../lib/digest.ts'
import { AskError } from '../../lib/errors.ts'
import { isoTime, parseWith } from '../../lib/schema.ts'
import type { WarningCode } from '../../lib/warning-codes.ts'
import type { AuthoredDraft } from '../people/author.ts'
import { otherDraftsSchema } from '../people/other-drafts-schema.ts'
import type { PolicyRule } from '../people/policy-rule.ts'
import { storedRuleSchema } from '../people/policy-rule-schema.ts'
import { type Vote, votesSchema } from '../people/vote.ts'
import type { QuestionRecord } from '../question-record.ts'
import type { AnswerFile } from './answer-file.ts'

/** The `typ` of a signed answer. No other token of the host's key can pass for a signed answer. */
export const ANSWER_TOKEN_TYPE = 'sandagent-answer+jwt'

/** The environment variable in which a host gives its public keys to a runner: a JSON Web Key Set. */
export const PUBLIC_KEYS_VARIABLE = 'SANDAGENT_PUBLIC_KEYS'

/** The only signature algorithm: Ed25519, by its name of RFC 9864. */
export const SIGNATURE_ALGORITHM = 'Ed25519'

/**
 * What a host signs of an answer, a draft or a refusal: all that a runner takes from it, and which question it is for.
 * `AnswerFile.signature` is a JWT of these claims with `iat` and `exp`, see `docs/guides/signing.md`.
 */
export interface AnswerClaims {
  version: 1
  toolCallId: string
  nonce: string
  /** The run that asks. */
  runId: string
  /** What was asked, see {@link questionDigestOf}. */
  questionDigest: string
  status: AnswerStatus
  responses: Responses
  revision: number
  /** ISO 8601: when it was given. */
  timestamp: string
  /** See `AnswerFile.replaceable`. */
  replaceable?: true
  answeredBy?: string
  browser?: string
  /** See `AnswerFile.otherDrafts`. */
  otherDrafts?: AuthoredDraft[]
  /** See `AnswerFile.rule` and `AnswerFile.votes`. */
  rule?: PolicyRule
  votes?: Vote[]
  /** Why the person declined, in their words. */
  reason?: string
}

const claimsSchema = v.object({
  version: v.literal(1),
  toolCallId: v.string(),
  nonce: v.string(),
  runId: v.string(),
  questionDigest: v.string(),
  status: answerStatusSchema,
  responses: responsesSchema,
  revision: v.number(),
  timestamp: isoTime,
  replaceable: v.exactOptional(v.literal(true)),
  answeredBy: v.exactOptional(v.string()),
  browser: v.exactOptional(v.string()),
  otherDrafts: v.exactOptional(otherDraftsSchema),
  rule: v.exactOptional(storedRuleSchema),
  votes: v.exactOptional(votesSchema),
  reason: v.exactOptional(v.string()),
})

const digests = new WeakMap<QuestionRecord, string>()

/** The hash of what a person is asked: SHA-256, in hex, over the call, its questions and what it would permit. */
export function questionDigestOf(record: QuestionRecord): string {
  const known = digests.get(record)
  if (known !== undefined) return known
  const { toolCallId, toolName, kind, questions, subject } = record
  const digest = digestOf({ toolCallId, toolName, kind, questions, subject })
  digests.set(record, digest)
  return digest
}

/**
 * What to sign of an answer file that is given to a recorded question.
 *
 * @throws AskError `INVALID_ANSWERS` for one that an older writer made, without `responses` and `revision`.
 */
export function answerClaims(answerFile: AnswerFile, record: QuestionRecord): AnswerClaims {
  const { status, responses, revision, timestamp, replaceable } = answerFile
  const { answeredBy, browser, otherDrafts, rule, votes, reason } = answerFile
  if (responses === undefined || revision === undefined)
    throw new AskError(
      'INVALID_ANSWERS',
      'Only an answer with its responses and revision can be signed. An older writer made this one: answer again',
    )
  return {
    version: 1,
    toolCallId: record.toolCallId,
    nonce: record.nonce,
    runId: record.runId,
    questionDigest: questionDigestOf(record),
    status,
    responses,
    revision,
    timestamp,
    ...(replaceable && { replaceable }),
    ...(answeredBy !== undefined && { answeredBy }),
    ...(browser !== undefined && { browser }),
    ...(otherDrafts && { otherDrafts }),
    ...(rule && { rule }),
    ...(votes && { votes }),
    ...(reason !== undefined && { reason }),
  }
}

/** Reads claims out of a verified token. @throws AskError `INVALID_FILE` */
export const parseAnswerClaims = (payload: unknown): AnswerClaims =>
  parseWith(claimsSchema, payload, 'INVALID_FILE', 'This is no signed answer')

/** Why signed claims cannot be the answer to a question. */
export type MisplacedAnswer = Extract<WarningCode, 'WRONG_QUESTION' | 'REPLAYED'>

/**
 * Whether signed claims are for this very question; `null` when they are.
 *
 * @param runIds the runs in which the answer may have been given; default: the one that asks
 */
export function misplaced(
  claims: AnswerClaims,
  record: QuestionRecord,
  runIds: readonly string[] = [record.runId],
): MisplacedAnswer | null {
  if (claims.toolCallId !== record.toolCallId || claims.questionDigest !== questionDigestOf(record))
    return 'WRONG_QUESTION'
  return claims.nonce === record.nonce && runIds.includes(claims.runId) ? null : 'REPLAYED'
}

/** The answer file made of signed claims alone. */
export const answerFileOf = (
  {
    toolCallId,
    nonce,
    questionDigest,
    status,
    responses,
    revision,
    timestamp,
    replaceable,
    answeredBy,
    browser,
    otherDrafts,
    rule,
    votes,
    reason,
  }: AnswerClaims,
  { questions }: Pick<QuestionRecord, 'questions'>,
  signature: string,
): AnswerFile => ({
  questions,
  answers: encodeAnswers(questions, responses),
  status,
  timestamp,
  ...(replaceable && { replaceable }),
  version: 1,
  toolCallId,
  nonce,
  questionDigest,
  revision,
  responses,
  ...(answeredBy !== undefined && { answeredBy }),
  ...(browser !== undefined && { browser }),
  ...(otherDrafts && { otherDrafts }),
  ...(rule && { rule }),
  ...(votes && { votes }),
  ...(reason !== undefined && { reason }),
  signature,
})
