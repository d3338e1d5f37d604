import * as v from 'valibot'
import { byQuestion, isAnswer, type QuestionResponse, responseTo } from '../../answer/response.ts'
import { invalid } from '../../lib/errors.ts'
import { own } from '../../lib/objects.ts'
import { mapOf, parseWith } from '../../lib/schema.ts'
import { type AskedQuestion, findOption } from '../../question/question.ts'
import { asModelsRead, type Outcome } from '../../record/outcome/outcome.ts'
import { describeOutcome } from '../../record/outcome/outcome-text.ts'
import { noteOf, readNote } from '../default-note.ts'
import type { GivenAnswer } from '../dialect.ts'

/** The result of `item/tool/requestUserInput`, by question id. */
export interface CodexResult {
  answers: Record<string, { answers: string[] }>
}

/** What stands before words beside a choice, as the terminal of Codex writes it. */
const NOTE = 'user_note: '

/**
 * Writes an outcome as the result of `item/tool/requestUserInput`. It has answers only, so a decline and a time-out are none,
 * and `untold` is what the model has to read beside it.
 */
export function formatResult(outcome: Outcome): CodexResult & { untold?: string } {
  const { kind, questions, responses, unanswered } = asModelsRead(outcome)
  const answers = byQuestion(questions, (question) => {
    const response = responseTo(responses, question)
    if (!isAnswer(response)) return undefined
    const note = noteOf(response)
    const labels = response.selected.map((value) => findOption(question, value)?.label ?? value)
    const { freeText = '' } = response
    return {
      answers: [
        ...labels,
        ...(freeText.trim() === '' ? [] : [freeText]),
        ...(note === undefined ? [] : [NOTE + note]),
      ],
    }
  })
  const isTold = kind === 'answered' && unanswered.length === 0
  return { answers, ...(!isTold && { untold: describeOutcome(outcome) }) }
}

const resultSchema = v.object({ answers: mapOf(v.object({ answers: v.array(v.string()) })) })

/**
 * Reads the answer of another client of Codex' app server; `null` where nobody answered anything.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export function parseAnswer(questions: readonly AskedQuestion[], input: unknown): GivenAnswer | null {
  const what = 'This is no answer of Codex'
  const { answers } = parseWith(resultSchema, input, 'INVALID_ANSWERS', what)
  const known = new Set(questions.map(({ id }) => id))
  const unknown = Object.keys(answers).filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw invalid(
      'INVALID_ANSWERS',
      what,
      unknown.map((id) => ({ path: `answers.${id}`, expected: 'the id of one of the questions' })),
    )
  const responses = byQuestion(questions, (question) =>
    responseIn(own(answers, question.id)?.answers, question),
  )
  return Object.keys(responses).length === 0 ? null : { status: 'completed', responses }
}

function responseIn(texts: readonly string[] = [], question: AskedQuestion): QuestionResponse | undefined {
  const words = texts.filter((text) => text.trim() !== '')
  const notes = words.filter((text) => text.startsWith(NOTE)).map((text) => text.slice(NOTE.length))
  const others = words.filter((text) => !text.startsWith(NOTE))
  const chosen = others.flatMap((text) => findByLabel(question, text) ?? [])
  const typed = others.filter((text) => findByLabel(question, text) === undefined)
  if (words.length === 0) return undefined
  const note = notes.join('\n')
  // Words without a choice are the answer, whatever their mark.
  if (chosen.length === 0 && typed.length === 0) return { selected: [], freeText: note, source: 'human' }
  return {
    selected: chosen,
    ...(typed.length > 0 && { freeText: typed.join('\n') }),
    ...readNote(note),
  }
}

const findByLabel = ({ options = [] }: AskedQuestion, label: string): string | undefined => {
  const option = options.find((each) => each.label === label)
  return option && (option.value ?? option.label)
}
