import {
  type GivenResponse,
  isAnswer,
  type QuestionResponse,
  type Responses,
  responseTo,
  unansweredIds,
} from '../answer/response.ts'
import { cutText } from '../lib/cut-text.ts'
import type { AskedQuestion } from '../question/question.ts'
import { findOption } from '../question/question.ts'
import type { OutcomeKind, SettledRecord } from './question-record.ts'

/** How a question ended: always a value, never an exception. */
export interface Outcome {
  /**
   * `answered`: the person submitted every answer they owed. `partial`: some answers, and some questions without.
   * `declined`: the person will not answer. `timed-out`: nobody answered in time. `aborted`: the agent stopped asking.
   */
  kind: OutcomeKind
  toolCallId: string
  questions: AskedQuestion[]
  /** By question id. A response says itself whether a person or a default gave it. Very long texts are cut. */
  responses: Responses
  /** Ids of the questions without an answer, in the order asked. */
  unanswered: string[]
  answeredBy?: string
  /** Why the person declined, in their words. */
  reason?: string
  /** ISO 8601. */
  settledAt: string
  /** Milliseconds from asked to settled. */
  elapsedMs: number
}

/**
 * The outcome that a settled record tells of; the same one however often it is read. Models read it, in whatever form, so
 * no text in it is longer than they should read.
 */
export const outcomeOf = (record: SettledRecord): Outcome => ({
  kind: record.state,
  toolCallId: record.toolCallId,
  questions: record.questions,
  responses: mapped(record.responses, cutResponse),
  unanswered: unansweredIds(record.questions, record.responses),
  ...(record.answeredBy !== undefined && { answeredBy: record.answeredBy }),
  ...(record.reason !== undefined && { reason: cutText(record.reason) }),
  settledAt: record.settledAt,
  elapsedMs: Math.max(0, Date.parse(record.settledAt) - Date.parse(record.askedAt)),
})

const mapped = <T, U>(map: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))

const cutResponse = (response: QuestionResponse): QuestionResponse => ({
  ...response,
  ...('freeText' in response && response.freeText !== undefined && { freeText: cutText(response.freeText) }),
  ...(response.notes !== undefined && { notes: cutText(response.notes) }),
})

/** What a submission amounts to: without any answer it is a refusal, with a skipped question it is partial. */
export function submittedKind(
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): 'answered' | 'partial' | 'declined' {
  const given = questions.map((question) => responseTo(responses, question))
  if (!given.some(isAnswer)) return 'declined'
  return given.some((response) => response !== undefined && 'skipped' in response) ? 'partial' : 'answered'
}

/** The part of an outcome that its text is made of. */
export type OutcomeFacts = Pick<Outcome, 'kind' | 'questions' | 'responses' | 'unanswered'> &
  Partial<Pick<Outcome, 'reason' | 'elapsedMs'>>

/** The one text about an outcome that the model reads. Everything a person typed stands in it as quoted data. */
export function describeOutcome(outcome: OutcomeFacts): string {
  return [OPENING[outcome.kind](outcome), ...answerLines(outcome), ...closingLines(outcome)].join('\n')
}

const DECLINED = 'The user declined to answer'

const TIMED_OUT = 'Nobody answered'
const ABORTED = 'The question was withdrawn'

/** How a question ended, as far as the text that {@link describeOutcome} wrote for a failed tool call tells. */
export function endingAccordingTo(errorText: string): 'declined' | 'timed-out' | 'aborted' | null {
  if (errorText.startsWith(DECLINED)) return 'declined'
  if (errorText.startsWith(TIMED_OUT)) return 'timed-out'
  return errorText.startsWith(ABORTED) ? 'aborted' : null
}

const OPENING: Record<OutcomeKind, (outcome: OutcomeFacts) => string> = {
  answered: () => 'The user answered:',
  // Complete but never sent: the time ran out over a draft.
  partial: ({ unanswered }) =>
    unanswered.length > 0
      ? 'The user answered only some of the questions:'
      : 'The time ran out before the user sent their answers. Until then they had entered:',
  declined: ({ reason }) =>
    `${DECLINED}${reason ? `, saying ${quoted(reason)}` : ''}. Do not ask the same again and do not guess what they would have chosen; go on without it, or stop and say what you need.`,
  'timed-out': ({ elapsedMs }) =>
    `${TIMED_OUT} ${elapsedMs === undefined ? 'in time' : `within ${duration(elapsedMs)}`}. This is not a decision of the user.`,
  aborted: () => `${ABORTED} before it was answered.`,
}

function answerLines({ questions, responses }: OutcomeFacts): string[] {
  return questions.flatMap((question) => {
    const response = responseTo(responses, question)
    return isAnswer(response)
      ? [`- ${JSON.stringify(question.question)}: ${answerText(question, response)}`]
      : []
  })
}

function answerText(question: AskedQuestion, response: GivenResponse): string {
  const labels = response.selected.map((value) => JSON.stringify(findOption(question, value)?.label ?? value))
  const typed = response.freeText?.trim() ? [`in their own words ${quoted(response.freeText)}`] : []
  const chosen = [...labels, ...typed].join(', ')
  const noted = response.notes?.trim() ? ` (note: ${quoted(response.notes)})` : ''
  return response.source === 'default' ? `${chosen} — your own default, nobody chose it` : `${chosen}${noted}`
}

function closingLines({ kind, questions, unanswered }: OutcomeFacts): string[] {
  if (unanswered.length === 0 || kind === 'declined' || kind === 'aborted') return []
  const open = questions
    .filter(({ id }) => unanswered.includes(id))
    .map(({ question }) => JSON.stringify(question))
  return [
    `Not answered: ${open.join(', ')}. Do not take this for a choice; say which assumption you make if you go on.`,
  ]
}

/** What a person typed, as data: nothing in it can end the quotation. */
const quoted = (text: string): string => JSON.stringify(cutText(text))

/** A length of time for people, from milliseconds. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 1) return `${Math.round(ms)} ms`
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
