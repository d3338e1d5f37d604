import type { AskedQuestion } from '../question/question.ts'
import { comparedText, typedText } from '../question/typed/typed-text.ts'
import { answerTexts } from './answer-text.ts'
import { defaultOf, isAnswer, type QuestionResponse, type Responses, responseTo } from './response.ts'

/**
 * What an asker goes on with as long as a question has no answer, in words: the label of an option, a text, or a number with
 * its unit.
 */
export function assumptionOf(question: AskedQuestion): string | undefined {
  const standsIn = defaultOf(question)
  return (
    standsIn &&
    (typedText(question, standsIn.freeText ?? '') ??
      answerTexts(question, { [question.id]: { ...standsIn, source: 'default' } })[0])
  )
}

/** Whether an answer says what was assumed. `undefined` where nothing was assumed, and without an answer. */
function isHeld(question: AskedQuestion, response: QuestionResponse | undefined): boolean | undefined {
  const { selected = [], freeText = '' } = defaultOf(question) ?? {}
  if (!defaultOf(question) || !isAnswer(response)) return undefined
  return (
    !response.files?.length &&
    response.selected.length === selected.length &&
    response.selected.every((value) => selected.includes(value)) &&
    comparedText(question, (response.freeText ?? '').trim()) === comparedText(question, freeText.trim())
  )
}

/** Whether each assumption held, by question id. */
export const heldIn = (
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): Record<string, boolean> =>
  Object.fromEntries(
    questions.flatMap((question) => {
      const held = isHeld(question, responseTo(responses, question))
      return held === undefined ? [] : [[question.id, held]]
    }),
  )
