import * as v from 'valibot'
import { recordOf } from '../lib/objects.ts'
import { filledText, mapOf, parseWith } from '../lib/schema.ts'
import type { Question } from '../question/question.ts'
import { type AnswerStatus, answerStatusSchema } from './answer-status.ts'
import type { AnswerTexts } from './answer-text.ts'
import { responsesSchema } from './parse-responses.ts'
import { type PasskeyProof, passkeyProofSchema } from './passkey-proof.ts'
import type { QuestionResponse, Responses } from './response.ts'

/** What a client sends to store an answer: the keys of the SandAgent document, and more. */
export interface AnswerRequest {
  toolCallId: string
  /** The questions as the client knows them. They are not checked, and count only if none are recorded. */
  questions?: readonly Question[] | undefined
  /** Answers as text by question text, see `encodeAnswers`. */
  answers?: AnswerTexts | undefined
  /** The answers without loss, by question id. If they are present, `answers` is ignored. */
  responses?: Readonly<Responses> | undefined
  /** Absent: `completed` once every required question has an answer, else `pending`. */
  status?: AnswerStatus | undefined
  /** `QuestionView.questionDigest` of what the person saw. If it is present, the answer counts for that question only. */
  questionDigest?: string | undefined
  /** `QuestionView.askedAt` of what the person saw. If it is present, the answer counts only for the question asked then. */
  askedAt?: string | undefined
  /** `QuestionView.traceparent` of what the person saw, for the page's own trace. The host does not read it. */
  traceparent?: string | undefined
  /** Why the person declined, in their words, or what they ask back. */
  reason?: string | undefined
  /**
   * The id of a scope in `QuestionView.scopes`: the host then allows more than this call. Only with `completed` and the choice
   * "Allow once".
   */
  scope?: string | undefined
  /** Where `QuestionView.rule` demands a passkey: what it has signed of `responses`. Only with `completed`. */
  passkey?: PasskeyProof | undefined
  /** With the status `declined`: the person has not decided. They ask what `reason` says, of an asker that `takesQuestions`. */
  asksBack?: boolean | undefined
  /** An id that the browser made, at most 64 characters. It tells people apart whose names the host does not know. */
  browser?: string | undefined
}

const givenByPeople = (responses: Responses): Responses =>
  recordOf(Object.keys(responses), (id) => {
    const response = responses[id] as QuestionResponse
    return 'skipped' in response ? response : { ...response, source: 'human' }
  })

const envelope = {
  toolCallId: filledText,
  status: v.optional(answerStatusSchema),
  asksBack: v.optional(v.boolean()),
}

const envelopeSchema = v.object(envelope)

const answerRequestSchema = v.object({
  toolCallId: envelope.toolCallId,
  questions: v.optional(v.custom<readonly Question[]>(Array.isArray, 'a list of questions')),
  answers: v.optional(mapOf(v.string())),
  // A person gave them: that nobody chose is the runner's to say.
  responses: v.optional(v.pipe(responsesSchema, v.transform(givenByPeople))),
  status: envelope.status,
  questionDigest: v.optional(v.string()),
  askedAt: v.optional(v.string()),
  reason: v.optional(v.string()),
  scope: v.optional(v.string()),
  passkey: v.optional(passkeyProofSchema),
  asksBack: envelope.asksBack,
  browser: v.optional(v.pipe(v.string(), v.maxLength(64))),
})

/**
 * Reads which call a request is about, and what it does. A host that does not know yet who asks reads no more.
 *
 * @throws AskError `INVALID_REQUEST`
 */
export const parseAnswerEnvelope = (
  input: unknown,
): Pick<AnswerRequest, 'toolCallId' | 'status' | 'asksBack'> =>
  parseWith(envelopeSchema, input, 'INVALID_REQUEST', 'This is no answer')

/**
 * Reads a request to store an answer. It leaves out unknown keys. It does not check that the answers fit the questions.
 *
 * @throws AskError `INVALID_REQUEST` with every fault.
 */
export const parseAnswerRequest = (input: unknown): AnswerRequest =>
  parseWith(answerRequestSchema, input, 'INVALID_REQUEST', 'This is no answer')
