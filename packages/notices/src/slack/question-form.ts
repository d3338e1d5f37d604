import {
  type AskedQuestion,
  allowsFreeText,
  bareText,
  expectedOf,
  isRequired,
  optionValue,
  printable,
  printableLine,
  type QuestionOption,
  type QuestionResponse,
  type Responses,
  takesOnlyFiles,
} from '@sandagent/core/internal'
import type { InputBlock, KnownBlock, ModalView, PlainTextElement, PlainTextOption } from '@slack/types'
import * as v from 'valibot'
import { callText, isTooLong, numberedOptions, titleOf, wholeTextsOf } from '../lib/notice-text.ts'
import type { Notice } from '../notice.ts'

/** Slack's limits: of blocks in a form, of options in a list, and of options that are shown at once. */
const MOST_BLOCKS = 100
const MOST_OPTIONS = 100
const MOST_SHOWN = 10
/** Slack's limits of texts, in characters. */
const LONGEST = { option: 75, placeholder: 150 }

export const FORM_ID = 'sandagent-answer'
const INPUT = 'input'

type Question = Pick<Notice['question'], 'kind' | 'questions' | 'subject'>

/** Whether Slack's forms can show a question to its end, with its options and the call that it is about. */
export const isFormPossible = (question: Question): boolean =>
  question.questions.every(isAnswerable) &&
  blocksOf(question).length <= MOST_BLOCKS &&
  ![...wholeTextsOf(question), ...question.questions.map((each) => listOf(each, question) ?? '')].some(
    isTooLong,
  )

/** Slack would read a secret, and its forms take no files here. */
const isAnswerable = (question: AskedQuestion): boolean =>
  !question.secret && !takesOnlyFiles(question) && (question.options ?? []).length <= MOST_OPTIONS

/** @param ref comes back with the answer */
export const formView = (question: Question, ref: string): ModalView => ({
  type: 'modal',
  callback_id: FORM_ID,
  private_metadata: ref,
  title: plain('Answer'),
  submit: plain('Send'),
  close: plain('Not now'),
  blocks: blocksOf(question),
})

/** What stands in the place of a form that was sent. */
export const noteView = (text: string): ModalView => ({
  type: 'modal',
  title: plain('Answer'),
  close: plain('Close'),
  blocks: [{ type: 'section', text: plain(text) }],
})

/** A text that Slack shows to its end: without `expand`, it folds a long one. */
export const wholeSection = (text: string): KnownBlock => ({
  type: 'section',
  text: plain(text || ' '),
  expand: true,
})

const blocksOf = (whole: Question): KnownBlock[] => [
  ...(whole.subject ? [wholeSection(callText(whole.subject))] : []),
  ...whole.questions.flatMap((question, index) => {
    const list = listOf(question, whole)
    return [...(list === null ? [] : [wholeSection(list)]), ...inputsOf(question, index, list !== null)]
  }),
]

/** The options for above a list that would cut one of them; `null` if it would not. */
const listOf = (question: AskedQuestion, { kind }: Question): string | null =>
  (question.options ?? []).every((option) => isWholeInList(question, option))
    ? null
    : numberedOptions(question, kind).join('\n\n')

const isWholeInList = (question: AskedQuestion, option: QuestionOption): boolean =>
  titleOf(question, option).length <= LONGEST.option &&
  (option.description ?? '').length <= LONGEST.option &&
  option.preview === undefined

/** @param isListed whether the options stand above, with numbers */
function inputsOf(question: AskedQuestion, index: number, isListed: boolean): InputBlock[] {
  const { options = [] } = question
  const placeholder = question.placeholder || (question.typed && expectedOf(question.typed))
  const optional = !isRequired(question)
  const label = plain(printable(question.question) || `Question ${index + 1}`)
  const text = {
    type: 'plain_text_input',
    action_id: INPUT,
    multiline: true,
    ...(placeholder && { placeholder: plain(cut(printableLine(placeholder), LONGEST.placeholder)) }),
  } as const
  const typed = (more: Pick<InputBlock, 'label' | 'optional'>): InputBlock => ({
    type: 'input',
    block_id: blockOf(index, 'text'),
    element: text,
    ...more,
  })
  if (options.length === 0) return [typed({ label, optional })]
  const mayType = allowsFreeText(question)
  return [
    {
      type: 'input',
      block_id: blockOf(index, 'pick'),
      label,
      element: choiceOf(question, isListed),
      // What is missing in both, the host says.
      optional: optional || mayType,
    },
    ...(mayType ? [typed({ label: plain('Something else'), optional: true })] : []),
  ]
}

function choiceOf(question: AskedQuestion, isListed: boolean): InputBlock['element'] {
  const options = (question.options ?? []).map((option, index): PlainTextOption => {
    const label = titleOf(question, option) || `Option ${index + 1}`
    const description = isListed ? undefined : option.description && printableLine(option.description)
    return {
      text: plain(cut(isListed ? `${index + 1}. ${label}` : label, LONGEST.option)),
      value: `${index}`,
      ...(description && { description: plain(description) }),
    }
  })
  const isShown = options.length <= MOST_SHOWN
  const common = { action_id: INPUT, options }
  if (question.multiSelect)
    return isShown ? { type: 'checkboxes', ...common } : { type: 'multi_static_select', ...common }
  return isShown ? { type: 'radio_buttons', ...common } : { type: 'static_select', ...common }
}

interface Input {
  value?: string | null | undefined
  selected_option?: { value: string } | null | undefined
  selected_options?: { value: string }[] | null | undefined
}

/** What a form says, by its blocks. */
export interface FormState {
  values: Record<string, Record<string, Input>>
}

const picked = v.object({ value: v.string() })

export const formState: v.GenericSchema<unknown, FormState> = v.object({
  values: v.record(
    v.string(),
    v.record(
      v.string(),
      v.object({
        value: v.nullish(v.string()),
        selected_option: v.nullish(picked),
        selected_options: v.nullish(v.array(picked)),
      }),
    ),
  ),
})

/** The responses that a form carries. Questions without an answer have none. */
export function responsesIn(questions: readonly AskedQuestion[], { values }: FormState): Responses {
  const entries = questions.flatMap((question, index): [string, QuestionResponse][] => {
    const pick = values[blockOf(index, 'pick')]?.[INPUT]
    const picks = [
      ...(pick?.selected_options ?? []),
      ...(pick?.selected_option ? [pick.selected_option] : []),
    ]
    const selected = picks.flatMap(({ value }) => {
      const option = question.options?.[Number(value)]
      return option ? [optionValue(option)] : []
    })
    const freeText = bareText(question, values[blockOf(index, 'text')]?.[INPUT]?.value?.trim() ?? '')
    if (selected.length === 0 && !freeText) return []
    return [[question.id, { selected, ...(freeText && { freeText }), source: 'human' }]]
  })
  return Object.fromEntries(entries)
}

/** The block under which Slack shows what is wrong with the response to a question. */
export function blockOfResponse(questions: readonly AskedQuestion[], path: string): string {
  const found = questions.findIndex(
    ({ id }) => path === `responses.${id}` || path.startsWith(`responses.${id}.`),
  )
  const index = Math.max(0, found)
  return blockOf(index, (questions[index]?.options ?? []).length > 0 ? 'pick' : 'text')
}

const blockOf = (index: number, part: 'pick' | 'text'): string => `${index}-${part}`
const plain = (text: string): PlainTextElement => ({ type: 'plain_text', text, emoji: false })
const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text
