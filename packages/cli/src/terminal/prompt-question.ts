import { isCancel, multiselect, note, select, text } from '@clack/prompts'
import {
  type AskedQuestion,
  allowsFreeText,
  type GivenResponse,
  isRequired,
  optionValue,
} from '@sandagent/core'
import type { Console } from './console.ts'
import { printable } from './printable.ts'

/** What a person did with a question: answered it, left it out, or backed out of the dialog. */
export type Prompted = GivenResponse | 'left out' | 'backed out'

const OWN_ANSWER = 'own'
const LEAVE_OUT = 'leave'

/** Asks one question. Nothing is preset: Enter alone never answers a choice of several. */
export async function promptQuestion(
  question: AskedQuestion,
  place: string,
  console: Console,
): Promise<Prompted> {
  const message = `${place}${printable(question.question)}`
  if (!question.options?.length) return promptText(question, message, console)
  for (const { label, preview } of question.options)
    if (preview !== undefined) note(printable(preview), printable(label), console)

  const picked = await pick(question, message, console)
  if (isCancel(picked)) return 'backed out'
  const values = [picked].flat()
  if (values.includes(LEAVE_OUT)) return 'left out'
  const selected = question.options.filter((_, index) => values.includes(String(index))).map(optionValue)
  if (!values.includes(OWN_ANSWER)) return selected.length > 0 ? given(selected) : 'left out'
  const typed = await promptText({ ...question, required: true }, 'Your own answer', console)
  // Backing out of the typing leads back to the choice, not out of the question.
  if (typed === 'backed out' || typed === 'left out') return promptQuestion(question, place, console)
  return { ...typed, selected }
}

function pick(question: AskedQuestion, message: string, console: Console) {
  const { multiSelect = false } = question
  const options = [
    ...(question.options ?? []).map(({ label, description }, index) => ({
      value: String(index),
      label: printable(label),
      ...(description !== undefined && { hint: printable(description) }),
    })),
    ...(allowsFreeText(question) ? [{ value: OWN_ANSWER, label: 'Type your own answer' }] : []),
    ...(isRequired(question) || multiSelect ? [] : [{ value: LEAVE_OUT, label: 'Leave this out' }]),
  ]
  return multiSelect
    ? multiselect({ ...console, message, options, required: isRequired(question) })
    : select({ ...console, message, options })
}

async function promptText(question: AskedQuestion, message: string, console: Console): Promise<Prompted> {
  const typed = await text({
    ...console,
    message,
    ...(question.placeholder !== undefined && { placeholder: printable(question.placeholder) }),
    validate: (value = '') =>
      isRequired(question) && value.trim() === '' ? 'Please type an answer, or press Esc.' : undefined,
  })
  if (isCancel(typed)) return 'backed out'
  return typed.trim() === '' ? 'left out' : { ...given([]), freeText: typed }
}

const given = (selected: string[]): GivenResponse => ({ selected, source: 'human' })
