import { multiselect, note, S_BAR, select, text } from '@clack/prompts'
import {
  type AskedQuestion,
  allowsFreeText,
  type GivenResponse,
  isRequired,
  numberFault,
  optionValue,
  printable,
  type QuestionOption,
  shownOption,
} from '@sandagent/core/internal'
import type { Console } from './console.ts'
import { withNumberKeys } from './number-keys.ts'

export type Prompted = GivenResponse | 'left out' | 'backed out'

const OWN_ANSWER = 'own'
const LEAVE_OUT = 'leave'

export interface PromptOptions {
  /** A prefix of the question, such as `2/3  `. */
  place: string
  /** The response of an earlier pass. */
  before: GivenResponse | undefined
}

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
  // Esc while typing leads back to the list.
  return console.isClosed ? 'backed out' : promptQuestion(question, { place, before }, console)
}

/** Resolves to positions of options, {@link OWN_ANSWER} or {@link LEAVE_OUT}. */
async function pick(
  question: AskedQuestion,
  message: string,
  before: GivenResponse | undefined,
  console: Console,
): Promise<string[] | null> {
  const { options: choices = [], multiSelect = false } = question
  const options = [
    ...choices.map((choice, index) => ({
      value: String(index),
      // The program's own choices have no number, so no label can imitate them.
      label: `${index + 1}. ${labelOf(choice)}`,
      ...(choice.description !== undefined && { hint: inLine(choice.description) }),
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
      // Behind the bar, so that no line looks like another prompt.
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

function labelOf(option: QuestionOption): string {
  const { label, isRecommended } = shownOption(option)
  return isRecommended ? `${inLine(label)} (recommended)` : inLine(label)
}

/** In one line, so that no label draws another choice. */
const inLine = (text: string): string => printable(text).replace(/\s+/g, ' ')

const given = (selected: string[]): GivenResponse => ({ selected, source: 'human' })

/** The code of a preview that is a single code block. */
const unfenced = (preview: string): string => /^```.*\n([\s\S]*?)\n?```\s*$/.exec(preview)?.[1] ?? preview
