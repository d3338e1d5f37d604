import { encodeAnswers } from '../../answer/answer-text.ts'
import { digestOf } from '../../lib/digest.ts'
import { AskError } from '../../lib/errors.ts'
import type { WarningCode } from '../../lib/warnings/warning-codes.ts'
import type { QuestionRecord } from '../question-record.ts'
import type { AnswerClaims, AnswerFile } from './answer-file.ts'

/** The `typ` of a signed answer. No other token of the host's key can pass for a signed answer. */
export const ANSWER_TOKEN_TYPE = 'sandagent-answer+jwt'

/** The environment variable in which a host gives its public keys to a runner: a JSON Web Key Set. */
export const PUBLIC_KEYS_VARIABLE = 'SANDAGENT_PUBLIC_KEYS'

/** The only signature algorithm: Ed25519, by its name of RFC 9864. */
export const SIGNATURE_ALGORITHM = 'Ed25519'

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
  const { questions: _, answers: __, signature: ___, responses, revision, ...signed } = answerFile
  if (responses === undefined || revision === undefined)
    throw new AskError(
      'INVALID_ANSWERS',
      'Only an answer with its responses and revision can be signed. An older writer made this one: answer again',
    )
  const { toolCallId, nonce, runId } = record
  return {
    ...signed,
    version: 1,
    toolCallId,
    nonce,
    runId,
    questionDigest: questionDigestOf(record),
    responses,
    revision,
  }
}

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
  { runId: _, ...signed }: AnswerClaims,
  { questions }: Pick<QuestionRecord, 'questions'>,
  signature: string,
): AnswerFile => ({ questions, answers: encodeAnswers(questions, signed.responses), ...signed, signature })
