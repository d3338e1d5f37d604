import { type Fault, invalid } from '../lib/errors.ts'
import {
  type AskedQuestion,
  allowsFreeText,
  findOption,
  isRequired,
  optionValue,
} from '../question/question.ts'
import { isSealedFor } from '../question/secret-question.ts'
import { enteredFault, typedFault } from '../question/typed/typed-fault.ts'
import { attachmentFaults } from './files/attachment.ts'
import { isAnswer, type QuestionResponse, type Responses, responseTo } from './response.ts'

/**
 * Whether the responses can be given to these questions, as the list of what is wrong.
 *
 * @param final a submission: required questions need an answer or an explicit skip, and a single choice is one
 *   choice. A draft may still lack answers, and keep text that was typed before an option was picked.
 * @param isEntered whether a typed answer is as a person typed it
 */
export function validateResponses(
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
  { final, isEntered = false }: { final: boolean; isEntered?: boolean },
): Fault[] {
  const known = new Set(questions.map(({ id }) => id))
  const unknown = Object.keys(responses)
    .filter((id) => !known.has(id))
    .map((id) => ({ path: `responses.${id}`, expected: `one of the question ids ${list([...known])}` }))
  return [
    ...unknown,
    ...questions.flatMap((question) =>
      responseFaults(question, responseTo(responses, question), final, isEntered ? enteredFault : typedFault),
    ),
  ]
}

/**
 * Checks a submission that a person has typed where no form has checked it.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault
 */
export function checkEntered(questions: readonly AskedQuestion[], responses: Readonly<Responses>): void {
  const faults = validateResponses(questions, responses, { final: true, isEntered: true })
  if (faults.length > 0) throw invalid('INVALID_ANSWERS', 'This answer does not fit its question', faults)
}

function responseFaults(
  question: AskedQuestion,
  response: QuestionResponse | undefined,
  final: boolean,
  faultIn: typeof typedFault,
): Fault[] {
  const path = `responses.${question.id}`
  if (!isAnswer(response)) {
    const missing = final && isRequired(question) && !(response && 'skipped' in response)
    return missing ? [{ path, expected: `an answer to "${question.question}", or {"skipped": true}` }] : []
  }
  const faults: Fault[] = []
  const typed = (response.freeText ?? '').trim() !== ''
  const options = question.options ?? []
  response.selected.forEach((value, index) => {
    if (!findOption(question, value))
      faults.push({ path: `${path}.selected.${index}`, expected: `one of ${list(options.map(optionValue))}` })
  })
  if (new Set(response.selected).size < response.selected.length)
    faults.push({ path: `${path}.selected`, expected: 'each option at most once' })
  if (!question.multiSelect && response.selected.length > 1)
    faults.push({ path: `${path}.selected`, expected: 'a single option' })
  if (final && !question.multiSelect && response.selected.length > 0 && typed)
    faults.push({ path, expected: 'either an option or a typed answer; words beside an option are notes' })
  if (typed && !allowsFreeText(question))
    faults.push({
      path: `${path}.freeText`,
      expected: question.secret
        ? 'an encrypted secret in "sealed", not a typed answer'
        : `one of ${list(options.map(optionValue))}, not a typed answer`,
    })
  if (response.sealed && !(final && isSealedFor(question, response.sealed)))
    faults.push({
      path: `${path}.sealed`,
      expected: !final
        ? 'no secret in a draft: it is given when the answer is sent'
        : question.secret
          ? 'a secret that is encrypted to the key of this question: type it again'
          : 'no secret, because none was asked for',
    })
  if (response.files) faults.push(...attachmentFaults(question, response.files, `${path}.files`))
  const misfit = final && typed ? faultIn(question, response.freeText) : null
  if (misfit) faults.push({ path: `${path}.freeText`, expected: misfit })
  return faults
}

const list = (texts: readonly string[]): string => {
  const shown = texts
    .slice(0, 10)
    .map((text) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text))
  return texts.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ')
}
