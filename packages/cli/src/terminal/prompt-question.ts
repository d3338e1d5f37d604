import { multiselect, note, S_BAR, select, text } from '@clack/prompts'
import {
  type AskedQuestion,
  allowsFreeText,
  type GivenResponse,
  isRequired,
  numberFault,
  optionValue,
  printable,
} from '@sandagent/core/internal'
import type { Console } from './console.ts'
import { withNumberKeys } from './number-keys.ts'

/** What a person did with a question: answered it, left it out, or backed out. */
export type Prompted = GivenResponse | 'left out' | 'backed out'

const OWN_ANSWER = 'own'
const LEAVE_OUT = 'leave'

export interface PromptOptions {
  /** Stands before the question, such as `2/3  `. */
  place: string
  /** What was answered when the person was here before. */
  before: GivenResponse | undefined
}

/** Asks one question. */
export async function promptQuestion(
  question: AskedQuestion,
  { place, before }: PromptOptions,
  console: Console,
): Promise<Prompted> {
  const message = `${place}${printable(question.question)}`
  const { options = [] } = question
  if (options.length === 0) return promptText(question, message, before, console)
  for (const { label, preview } of options)
    if (preview !== undefined)
      console.show((basics) => note(unfenced(printable(preview)), inLine(label), basics))

  const picked = await pick(question, message, before, console)
  if (picked === null) return 'backed out'
  if (picked.includes(LEAVE_OUT)) return 'left out'
  const selected = options.filter((_, index) => picked.includes(String(index))).map(optionValue)
  if (!picked.includes(OWN_ANSWER)) return selected.length > 0 ? given(selected) : 'left out'
  const typed = await promptText({ ...question, required: true }, 'Your own answer', before, console)
  if (typeof typed === 'object') return { ...typed, selected }
  // Backing out of the typing leads back to the choice.
  return console.isClosed ? 'backed out' : promptQuestion(question, { place, before }, console)
}

/** What was picked: positions of options, {@link OWN_ANSWER} or {@link LEAVE_OUT}. */
async function pick(
  question: AskedQuestion,
  message: string,
  before: GivenResponse | undefined,
  console: Console,
): Promise<string[] | null> {
  const { options: choices = [], multiSelect = false } = question
  const options = [
    ...choices.map(({ label, description }, index) => ({
      value: String(index),
      // Numbered, as the choices of this program are not: no label can pass for one of those.
      label: `${index + 1}. ${inLine(label)}`,
      ...(description !== undefined && { hint: inLine(description) }),
    })),
    ...(allowsFreeText(question) ? [{ value: OWN_ANSWER, label: 'Type your own answer' }] : []),
    ...(isRequired(question) || multiSelect ? [] : [{ value: LEAVE_OUT, label: 'Leave this out' }]),
  ]
  const initialValues = [
    ...choices.flatMap((choice, index) =>
      before?.selected.includes(optionValue(choice)) ? [String(index)] : [],
    ),
    ...(before?.freeText === undefined ? [] : [OWN_ANSWER]),
  ]
  const list = { numbered: choices.length, rows: options.length, isMultiple: multiSelect }
  if (multiSelect)
    return console.ask((basics) =>
      withNumberKeys(basics.input, { ...list, start: 0 }, () =>
        multiselect({ ...basics, message, options, initialValues, required: isRequired(question) }),
      ),
    )
  const start = Math.max(
    options.findIndex(({ value }) => value === initialValues[0]),
    0,
  )
  const picked = await console.ask((basics) =>
    withNumberKeys(basics.input, { ...list, start }, () =>
      select({ ...basics, message, options, initialValue: String(options[start]?.value) }),
    ),
  )
  return picked === null ? null : [picked]
}

async function promptText(
  question: AskedQuestion,
  message: string,
  before: GivenResponse | undefined,
  console: Console,
): Promise<Prompted> {
  const { placeholder } = question
  const missing = isRequired(question) ? 'Type an answer, or press Esc.' : undefined
  const typed = await console.ask((basics) =>
    text({
      ...basics,
      // Behind the bar, as the other prompts do it: a line of its own could pass for another prompt.
      message: message.replaceAll('\n', `\n${S_BAR}  `),
      ...(placeholder !== undefined && { placeholder: printable(placeholder) }),
      ...(before?.freeText !== undefined && { initialValue: before.freeText }),
      validate: (value = '') => (value.trim() === '' ? missing : expectedNumber(question, value)),
    }),
  )
  if (typed === null) return 'backed out'
  return typed.trim() === '' ? 'left out' : { ...given([]), freeText: typed }
}

function expectedNumber(question: AskedQuestion, value: string): string | undefined {
  const fault = numberFault(question, value)
  return fault === null ? undefined : `Type ${fault}.`
}

/** In one line: what a choice is called must not draw another one below it. */
const inLine = (text: string): string => printable(text).replace(/\s+/g, ' ')

const given = (selected: string[]): GivenResponse => ({ selected, source: 'human' })

/** A preview that is one code block stands in its box as the code alone. */
const unfenced = (preview: string): string => /^```.*\n([\s\S]*?)\n?```\s*$/.exec(preview)?.[1] ?? preview
