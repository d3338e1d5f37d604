import * as v from 'valibot'
import { responsesSchema } from '../../answer/parse-responses.ts'
import { type PasskeyProof, passkeyProofSchema } from '../../answer/passkey-proof.ts'
import {
  byQuestion,
  type QuestionResponse,
  type Responses,
  responseTo,
  sameResponses,
} from '../../answer/response.ts'
import { isoTime, listOf } from '../../lib/schema.ts'
import type { AskedQuestion } from '../../question/question.ts'
import { comparedText } from '../../question/typed/typed-text.ts'
import { type Author, authorOf, isSameAuthor, isSameName } from './author.ts'

/** One person's part in an answer under a policy. */
export interface Vote {
  /** The name that the host authenticated. */
  answeredBy: string
  /** ISO 8601: when it was given. */
  timestamp: string
  /** The roles of the rule that this person had. */
  roles?: string[]
  /** The person's answer, while more people must give the same. A final answer file has it once. */
  responses?: Responses
  /** The revision of the answer file that stored it. */
  revision: number
  /** Under a rule with `passkey`: what the person's passkey signed. `responses` stay then, if others gave the same answer. */
  passkey?: PasskeyProof
}

/** The names of several people who gave one answer; `undefined` for the answer of one person. */
export const votersIn = (votes: readonly Vote[] | undefined): string[] | undefined =>
  votes && votes.length > 1 ? votes.map(({ answeredBy }) => answeredBy) : undefined

/** The most votes that are read. */
const MOST = 100

/** The shape of `AnswerFile.votes`. */
export const votesSchema: v.GenericSchema<unknown, Vote[]> = listOf(
  v.object({
    answeredBy: v.string(),
    timestamp: isoTime,
    roles: v.exactOptional(v.array(v.string())),
    responses: v.exactOptional(responsesSchema),
    revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
    passkey: v.exactOptional(passkeyProofSchema),
  }),
  MOST,
)

/** Whether somebody gave an answer, alone or with others. */
export const isBy = (
  answer: Author & { votes?: readonly Pick<Vote, 'answeredBy'>[] },
  { answeredBy, browser }: Author,
): boolean =>
  isSameAuthor(authorOf(answer), authorOf({ answeredBy, browser })) ||
  (answer.votes ?? []).some((vote) => isSameName(vote.answeredBy, answeredBy))

/** Whether two people gave the same answer, perhaps with other notes. Nobody here can compare secrets: the last one counts. */
export const isSameVote = (
  questions: readonly AskedQuestion[],
  a: Readonly<Responses>,
  b: Readonly<Responses>,
): boolean => sameResponses(questions, comparable(questions, a), comparable(questions, b))

const comparable = (questions: readonly AskedQuestion[], responses: Readonly<Responses>): Responses =>
  byQuestion(questions, (question): QuestionResponse | undefined => {
    const response = responseTo(responses, question)
    if (!response) return undefined
    const { notes: _, ...said } = response
    if (!('selected' in said)) return said
    const { sealed, freeText } = said
    return {
      ...said,
      ...(sealed && { sealed: 'given' }),
      ...(freeText && { freeText: comparedText(question, freeText) }),
    }
  })

/** The responses that several people gave, with the notes of all of them. */
export function jointResponses(questions: readonly AskedQuestion[], given: readonly Responses[]): Responses {
  const joint: Responses = { ...given.at(-1) }
  for (const question of questions) {
    const response = responseTo(joint, question)
    const notes = new Set(given.map((each) => responseTo(each, question)?.notes?.trim()).filter(Boolean))
    if (response && notes.size > 1) joint[question.id] = { ...response, notes: [...notes].join('\n') }
  }
  return joint
}
