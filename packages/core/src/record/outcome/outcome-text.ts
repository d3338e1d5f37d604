import { assumptionOf } from '../../answer/assumption.ts'
import type { Attachment } from '../../answer/files/attachment.ts'
import { lossText } from '../../answer/files/file-loss.ts'
import { defaultOf, type GivenResponse, isAnswer, responseTo } from '../../answer/response.ts'
import { own } from '../../lib/objects.ts'
import { type AskedQuestion, findOption } from '../../question/question.ts'
import { typedText } from '../../question/typed/typed-text.ts'
import type { OutcomeKind } from '../question-record.ts'
import { cutText, type Outcome } from './outcome.ts'

/** The part of an outcome that its text is made of. */
export type OutcomeFacts = Pick<Outcome, 'kind' | 'questions' | 'responses' | 'unanswered'> & {
  [name in 'reason' | 'asksBack' | 'held' | 'elapsedMs']?: Outcome[name] | undefined
}

/** The text about an outcome that the model reads. What a person typed is quoted. */
export function describeOutcome(outcome: OutcomeFacts): string {
  return [OPENING[outcome.kind](outcome), ...answerLines(outcome), ...closingLines(outcome)].join('\n')
}

const DECLINED = 'The user declined to answer'
const ASKED_BACK = 'The user has not decided yet. They ask: '

const TIMED_OUT = 'Nobody answered'
const ABORTED = 'The question was withdrawn'

/** How a question ended, read from the text that {@link describeOutcome} wrote for a failed tool call. */
export function endingAccordingTo(errorText: string): 'declined' | 'timed-out' | 'aborted' | null {
  if (errorText.startsWith(DECLINED) || errorText.startsWith(ASKED_BACK)) return 'declined'
  if (errorText.startsWith(TIMED_OUT)) return 'timed-out'
  return errorText.startsWith(ABORTED) ? 'aborted' : null
}

/** What a person asked back, read from such a text, also behind other words; `null` if they did not ask. */
export function questionAskedBack(errorText: string): string | null {
  const [, after] = errorText.split(ASKED_BACK)
  const [quotation = ''] = /^"(?:[^"\\]|\\.)*"/.exec(after ?? '') ?? []
  try {
    return JSON.parse(quotation)
  } catch {
    return null // Somebody else wrote the text.
  }
}

const OPENING: Record<OutcomeKind, (outcome: OutcomeFacts) => string> = {
  answered: ({ questions, responses }) =>
    questions.some((question) => isAnswer(responseTo(responses, question)))
      ? 'The user answered:'
      : 'The user sent the form and left out every question:',
  // If no question is unanswered, the time ran out before a complete draft was sent.
  partial: ({ unanswered }) =>
    unanswered.length > 0
      ? 'The user answered only some of the questions:'
      : 'The time ran out before the user sent their answers. Until then they had entered:',
  declined: ({ reason = '', asksBack }) =>
    asksBack
      ? `${ASKED_BACK}${quoted(reason)}. Answer this in plain words, then ask again.`
      : `${DECLINED}${reason ? `, saying ${quoted(reason)}` : ''}. Do not ask the same again and do not guess what they would have chosen; go on without it, or stop and say what you need.`,
  'timed-out': ({ elapsedMs }) =>
    `${TIMED_OUT} ${elapsedMs === undefined ? 'in time' : `within ${duration(elapsedMs)}`}. This is not a decision of the user.`,
  aborted: () => `${ABORTED} before it was answered.`,
}

function answerLines({ questions, responses, held }: OutcomeFacts): string[] {
  return questions.flatMap((question) => {
    const response = responseTo(responses, question)
    if (!isAnswer(response)) return []
    const answer = `- ${JSON.stringify(question.question)}: ${answerText(question, response)}`
    return held && response.source === 'human' ? [`${answer}${heldText(question, held)}`] : [answer]
  })
}

/** Of a question for which nobody waited. */
function heldText(question: AskedQuestion, held: Record<string, boolean>): string {
  const isHeld = own(held, question.id)
  if (isHeld === undefined) return ''
  return isHeld
    ? ' — as you assumed, so go on'
    : ` — you assumed ${JSON.stringify(assumptionOf(question))}, which does not hold: undo what you based on it`
}

/** A number or a date is no words: it was checked, and has its unit here. */
function typedWords(question: AskedQuestion, freeText: string): string {
  const said = typedText(question, freeText)
  if (said === null) return `in their own words ${quoted(freeText)}`
  const isLocal = question.typed?.kind === 'date-time' && !question.typed.zone
  return isLocal ? `${said} (by the clock where the user is)` : said
}

function answerText(question: AskedQuestion, response: GivenResponse): string {
  const labels = response.selected.map((value) => JSON.stringify(findOption(question, value)?.label ?? value))
  const typed = response.freeText?.trim() ? [typedWords(question, response.freeText)] : []
  const files = (response.files ?? []).map(fileText)
  const chosen = question.secret ? (response.freeText ?? 'given') : [...labels, ...typed, ...files].join(', ')
  const noted = response.notes?.trim() ? ` (note: ${quoted(response.notes)})` : ''
  const edited = response.input === undefined ? '' : ` with the input ${quoted(response.input)}`
  return response.source === 'default'
    ? `${chosen} — your own default, nobody chose it`
    : `${chosen}${edited}${noted}`
}

const fileText = ({ name, mediaType, size, path, missing }: Attachment): string =>
  `the file ${quoted(name)} (${mediaType}, ${size} bytes, ${path === undefined ? lossText(missing) : `at ${path}`})`

function closingLines({ kind, questions, unanswered, held }: OutcomeFacts): string[] {
  if (held && kind === 'declined' && questions.some(defaultOf))
    return ['What you assumed is not confirmed: say so when you report.']
  if (unanswered.length === 0 || kind === 'declined' || kind === 'aborted') return []
  const open = questions
    .filter(({ id }) => unanswered.includes(id))
    .map(({ question }) => JSON.stringify(question))
  return [
    `Not answered: ${open.join(', ')}. Do not take this for a choice; say which assumption you make if you go on.`,
  ]
}

/** What a person typed, as JSON: nothing in it can end the quotation. */
const quoted = (typed: unknown): string =>
  typeof typed === 'string' ? JSON.stringify(cutText(typed)) : cutText(JSON.stringify(typed))

/** A length of time for people, from milliseconds. */
function duration(ms: number): string {
  const tenths = Math.round(ms / 100)
  if (tenths < 10) return `${Math.round(ms)} ms`
  // The agent knows its own time-out, and 1.5 s are not 2.
  if (tenths < 100) return `${tenths / 10} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
