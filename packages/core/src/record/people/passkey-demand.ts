// Why it is so: docs/decisions/0118-a-passkey-signs-question-and-answer.md

import {
  type GivenResponse,
  isAnswer,
  type QuestionResponse,
  type Responses,
  responseTo,
} from '../../answer/response.ts'
import { canonicalJson, digestOf, sha256Hex } from '../../lib/digest.ts'
import { decisionOf } from '../../question/approval-options.ts'
import { type AskedQuestion, optionValue, type QuestionOption } from '../../question/question.ts'
import { questionDigestOf } from '../answer-file/signed-claims.ts'
import type { QuestionRecord } from '../question-record.ts'

/** Whether an answer allows anything. A denial needs no passkey, and neither does an answer that picks nothing. */
export const allowsAny = (responses: Readonly<Responses>): boolean => Object.values(responses).some(allows)

const allows = (response: QuestionResponse): boolean =>
  isAnswer(response) &&
  !(response.selected.length > 0 && areAll(response, (value) => decisionOf(value) === 'deny'))

/** Whether an answer is made of such options alone. */
const areAll = ({ selected, freeText }: GivenResponse, isSuch: (value: string) => boolean): boolean =>
  selected.every(isSuch) && !freeText?.trim()

/**
 * The options that a passkey can sign for. Where a call can be allowed once, nothing else allows it: what "Allow for this
 * session" covers would run without a passkey later.
 */
function signableOptions({ options = [] }: AskedQuestion): QuestionOption[] {
  const once = options.filter((option) => decisionOf(optionValue(option)) === 'allowOnce')
  return once.length > 0 ? once : options.filter((option) => decisionOf(optionValue(option)) !== 'deny')
}

/** A question with its denials, and with these options. */
const withOptions = (question: AskedQuestion, allowing: readonly QuestionOption[]): AskedQuestion => {
  const options = question.options?.filter(
    (option) => decisionOf(optionValue(option)) === 'deny' || allowing.includes(option),
  )
  return { ...question, ...(options && { options }) }
}

/**
 * A question without what allows more than this call. A run that demands passkeys for some calls asks all of its approvals so:
 * what an agent takes for allowed in a session may be a call that needs one, such as a command that changes a file.
 */
export const decidedOnce = (question: AskedQuestion): AskedQuestion =>
  withOptions(question, signableOptions(question))

/**
 * A question with the options that a person can choose: only denials for somebody who has no passkey, or cannot use it here.
 */
export const decidableBy = (question: AskedQuestion, hasPasskey: boolean): AskedQuestion => ({
  ...withOptions(question, hasPasskey ? signableOptions(question) : []),
  allowFreeText: false,
})

/** Whether a passkey can sign for all that an answer allows. */
export const isSignable = (questions: readonly AskedQuestion[], responses: Readonly<Responses>): boolean =>
  questions.every((question) => {
    const response = responseTo(responses, question)
    if (!response || 'skipped' in response || !allows(response)) return true
    const values = signableOptions(question).map(optionValue)
    return response.selected.length > 0 && areAll(response, (value) => values.includes(value))
  })

/** A hash of the recorded question, its run and its nonce. A page gets it in the place of the nonce. */
export const askedDigestOf = (record: QuestionRecord): string =>
  digestOf({
    toolCallId: record.toolCallId,
    questionDigest: questionDigestOf(record),
    nonce: record.nonce,
    runId: record.passkeys?.runId ?? record.runId,
  })

/** What a passkey signs. It fits one answer to one question. */
export interface SignedDecision {
  toolCallId: string
  questionDigest: string
  /** The hash of the answer and of {@link askedDigestOf}: nobody can guess the answer from it without the nonce. */
  answer: string
}

/** What a passkey signs of an answer. */
export const signedDecision = (
  { toolCallId, questionDigest, asked }: { toolCallId: string; questionDigest: string; asked: string },
  responses: Readonly<Responses>,
): SignedDecision => ({
  toolCallId,
  questionDigest,
  answer: digestOf({ asked, responses: asSigned(responses) }),
})

/** The same for a recorded question. */
export const decisionOn = (record: QuestionRecord, responses: Readonly<Responses>): SignedDecision =>
  signedDecision(
    { toolCallId: record.toolCallId, questionDigest: questionDigestOf(record), asked: askedDigestOf(record) },
    responses,
  )

/** Clients may leave out empty texts, and who decided. */
const asSigned = (responses: Readonly<Responses>): object =>
  Object.fromEntries(
    Object.entries(responses).map(([id, response]) => {
      const given = Object.entries(response).filter(([, value]) => value !== undefined && value !== '')
      return [id, { source: 'human', ...Object.fromEntries(given) }]
    }),
  )

/** The challenge of WebAuthn, in hex: SHA-256 of the decision as canonical JSON. */
export const signedDigest = (decision: SignedDecision): string => sha256Hex(canonicalJson(decision))

/** What an existing passkey signs, in hex, to let another one in or to remove one. */
export const changeDigest = (change: { challenge: string; action: 'add' | 'remove'; id: string }): string =>
  sha256Hex(canonicalJson(change))
