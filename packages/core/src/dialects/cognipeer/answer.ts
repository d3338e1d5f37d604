import { questionTexts } from '../../answer/answer-text.ts'
import { byQuestion, type GivenResponse, isAnswer, isComplete, responseTo } from '../../answer/response.ts'
import { type Fault, invalid } from '../../lib/errors.ts'
import { isObject, own, pick, recordOf } from '../../lib/objects.ts'
import {
  type AskedQuestion,
  allowsFreeText,
  findOption,
  isRequired,
  optionValue,
} from '../../question/question.ts'
import { asModelsRead, type Outcome } from '../../record/outcome/outcome.ts'
import { describeOutcome } from '../../record/outcome/outcome-text.ts'
import { noteOf, readNote } from '../default-note.ts'
import type { GivenAnswer } from '../dialect.ts'

/** The answer to one question. */
export interface CognipeerAnswer {
  /** Values of the options picked. */
  values: string[]
  /** Words typed as an answer. */
  freeText?: string
  /** Words beside the answer. */
  notes?: string
}

/** What is decided about a pending entry: `resolveUserQuestion` takes it beside the entry's id. */
export interface CognipeerResolution {
  /** By question text, or by header. */
  answers?: Record<string, CognipeerAnswer>
  answeredBy?: string
  /** The model reads it. */
  notes?: string
  /** Whether the person dismissed the questions. */
  cancelled?: boolean
}

/** What the tool message says. */
export type CognipeerResult =
  | { status: 'answered'; answers: CognipeerResultEntry[]; reviewerNotes?: string }
  | { status: 'cancelled'; message: string }

export interface CognipeerResultEntry extends CognipeerAnswer {
  question: string
  header?: string
}

const WHAT = 'This is no answer of Cognipeer'

/**
 * Reads a resolution and checks it as Cognipeer does. The first fault of each question is the one that Cognipeer would
 * name. The result has its answers by question text. Unknown keys and empty answers are left out.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export function parseResolution(questions: readonly AskedQuestion[], input: unknown): CognipeerResolution {
  const resolution = readResolution(input)
  if (resolution.cancelled) return resolution
  const given = answersTo(questions, resolution.answers ?? {})
  const faults = questions.flatMap((question, index): Fault[] => {
    const expected = faultOf(question, given[index])
    return expected === null ? [] : [{ path: `answers.${question.question}`, expected }]
  })
  if (faults.length > 0) throw invalid('INVALID_ANSWERS', WHAT, faults)
  const kept = byQuestion(questions, (_, index) => keptOf(given[index]), questionTexts(questions))
  return { ...resolution, answers: kept }
}

/** Reads a resolution as Cognipeer does: what has another type counts as absent. */
function readResolution(input: unknown): CognipeerResolution {
  if (!isObject(input)) throw invalid('INVALID_ANSWERS', WHAT, [{ path: '', expected: 'an object' }])
  const { answers, cancelled } = input
  return {
    ...(isObject(answers) && {
      answers: recordOf(Object.keys(answers), (key) => readAnswer(own(answers, key))),
    }),
    ...pick(input, 'string', ['answeredBy', 'notes']),
    ...(cancelled === true && { cancelled }),
  }
}

function readAnswer(input: unknown): CognipeerAnswer | undefined {
  if (input == null) return undefined
  const values = isObject(input) && Array.isArray(input.values) ? input.values : []
  return {
    values: values.filter((value) => typeof value === 'string'),
    ...pick(input, 'string', ['freeText', 'notes']),
  }
}

function keptOf(
  { values, freeText = '', notes }: CognipeerAnswer = { values: [] },
): CognipeerAnswer | undefined {
  const typed = freeText.trim()
  if (values.length === 0 && typed === '') return undefined
  return { values, ...(typed !== '' && { freeText: typed }), ...(notes && { notes }) }
}

function faultOf(question: AskedQuestion, answer: CognipeerAnswer | undefined): string | null {
  if (!answer) return isRequired(question) ? 'an answer' : null
  const { values } = answer
  const isTyped = (answer.freeText ?? '').trim() !== ''
  if (isTyped && !allowsFreeText(question)) return 'one of the options, not a typed answer'
  if (isRequired(question) && values.length === 0 && !isTyped) return 'an option or a typed answer'
  if (!question.multiSelect && values.length > 1) return 'a single value'
  const { options = [] } = question
  if (options.length > 0 && !allowsFreeText(question) && values.some((value) => !findOption(question, value)))
    return `values of ${options.map((option) => JSON.stringify(optionValue(option))).join(', ')}`
  return null
}

/**
 * The answers in the order of the questions, looked up by text, then by header. A name that could mean two questions counts
 * only for a required question without another answer, as in Cognipeer.
 */
const answersTo = (
  questions: readonly AskedQuestion[],
  answers: Readonly<Record<string, CognipeerAnswer>>,
): (CognipeerAnswer | undefined)[] => {
  const keys = questionTexts(questions)
  const names = [...keys, ...questions.map(({ header = '' }) => header)]
  return questions.map((question, index) => {
    const { header = '' } = question
    const ofSameText = own(answers, question.question)
    const isClear = ofSameText === undefined && names.filter((name) => name === header).length === 1
    return (
      own(answers, keys[index] as string) ??
      (isClear || isRequired(question) ? (ofSameText ?? own(answers, header)) : undefined)
    )
  })
}

/**
 * Reads what is given to `resolveUserQuestion`. A value that is no option is a typed answer; on a single choice,
 * words typed beside an option are a note.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export function parseAnswer(questions: readonly AskedQuestion[], input: unknown): GivenAnswer {
  const { answers = {}, notes, cancelled } = parseResolution(questions, input)
  if (cancelled) return { status: 'declined', ...(notes?.trim() && { reason: notes }) }
  const keys = questionTexts(questions)
  const responses = byQuestion(questions, (question, index) => {
    const answer = own(answers, keys[index] as string)
    return answer && responseOf(question, answer)
  })
  return { status: 'completed', responses }
}

function responseOf(question: AskedQuestion, { values, freeText, notes }: CognipeerAnswer): GivenResponse {
  const selected = [...new Set(values.filter((value) => findOption(question, value)))]
  const unknown = values.filter((value) => !findOption(question, value))
  const typed = [...unknown, freeText?.trim()].filter(Boolean).join(', ')
  const isBeside = !question.multiSelect && selected.length > 0
  const { source, notes: said } = readNote(notes)
  const noted = [isBeside ? typed : '', said].filter(Boolean).join('\n')
  return {
    selected,
    ...(typed !== '' && !isBeside && { freeText: typed }),
    ...(noted !== '' && { notes: noted }),
    source,
  }
}

/**
 * Writes an outcome for `resolveUserQuestion`. It takes no answers while a required question has none: such an
 * outcome is cancelled, and its notes say all that was answered.
 */
export function formatAnswer(outcome: Outcome): CognipeerResolution {
  const { kind, questions, responses, answeredBy } = asModelsRead(outcome)
  const by = answeredBy === undefined ? {} : { answeredBy }
  const isResolved = isComplete(questions, responses)
  if (!isResolved || (kind !== 'answered' && kind !== 'partial'))
    return { cancelled: true, notes: describeOutcome(outcome), ...by }
  const answerTo = (question: AskedQuestion): CognipeerAnswer | undefined => {
    const response = responseTo(responses, question)
    const notes = noteOf(response)
    return isAnswer(response)
      ? keptOf({
          values: response.selected,
          ...pick(response, 'string', ['freeText']),
          ...(notes && { notes }),
        })
      : undefined
  }
  return { answers: byQuestion(questions, answerTo, questionTexts(questions)), ...by }
}

/** What the tool message says of a resolution whose answers are by question text. */
export function resultOf(
  questions: readonly AskedQuestion[],
  { answers = {}, notes, cancelled }: CognipeerResolution,
): CognipeerResult {
  if (cancelled) return { status: 'cancelled', message: notes?.trim() ? notes : DISMISSED }
  const keys = questionTexts(questions)
  const entries = questions.map(({ question, header }, index): CognipeerResultEntry => {
    const answer = own(answers, keys[index] as string) ?? { values: [] }
    return { question, ...(header !== undefined && { header }), ...answer }
  })
  return { status: 'answered', answers: entries, ...(notes?.trim() && { reviewerNotes: notes }) }
}

const DISMISSED = 'The user dismissed the questions. Go on without the answers; do not ask the same again.'

/** Writes an outcome as what the model reads: the content of the tool message, as an object. */
export const formatResult = (outcome: Outcome): CognipeerResult =>
  resultOf(outcome.questions, formatAnswer(outcome))
