import {
  type AskedQuestion,
  allowsFreeText,
  isRequired,
  optionTitle,
  optionValue,
  printable,
  printableLine,
  type QuestionResponse,
  type Responses,
} from '@sandagent/core/internal'
import type { InputBlock, ModalView, PlainTextElement, PlainTextOption } from '@slack/types'
import * as v from 'valibot'

/** Slack's limits: of blocks in a form, of options in a list, and of options that are shown at once. */
const MOST_BLOCKS = 100
const MOST_OPTIONS = 100
const MOST_SHOWN = 10
/** Slack's limits of texts, in characters. */
const LONGEST = { label: 2_000, option: 75, placeholder: 150 }

export const FORM_ID = 'sandagent-answer'
const INPUT = 'input'

/** Whether Slack's forms can show these questions. */
export const isFormPossible = (questions: readonly AskedQuestion[]): boolean =>
  questions.every(({ options = [] }) => options.length <= MOST_OPTIONS) &&
  questions.flatMap(blocksOf).length <= MOST_BLOCKS

/** @param ref comes back with the answer */
export const formView = (questions: readonly AskedQuestion[], ref: string): ModalView => ({
  type: 'modal',
  callback_id: FORM_ID,
  private_metadata: ref,
  title: plain('Answer'),
  submit: plain('Send'),
  close: plain('Not now'),
  blocks: questions.flatMap(blocksOf),
})

/** What stands in the place of a form that was sent. */
export const noteView = (text: string): ModalView => ({
  type: 'modal',
  title: plain('Answer'),
  close: plain('Close'),
  blocks: [{ type: 'section', text: plain(text) }],
})

function blocksOf(question: AskedQuestion, index: number): InputBlock[] {
  const { options = [], placeholder } = question
  const optional = !isRequired(question)
  const label = plain(cut(printable(question.question), LONGEST.label) || `Question ${index + 1}`)
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
      element: choiceOf(question),
      // What is missing in both, the host says.
      optional: optional || mayType,
    },
    ...(mayType ? [typed({ label: plain('Something else'), optional: true })] : []),
  ]
}

function choiceOf(question: AskedQuestion): InputBlock['element'] {
  const options = (question.options ?? []).map((option, index): PlainTextOption => {
    const label = printableLine(optionTitle(question, option)) || `Option ${index + 1}`
    const description = option.description && printableLine(option.description)
    return {
      text: plain(cut(label, LONGEST.option)),
      value: `${index}`,
      ...(description && { description: plain(cut(description, LONGEST.option)) }),
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
    const freeText = values[blockOf(index, 'text')]?.[INPUT]?.value?.trim()
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
