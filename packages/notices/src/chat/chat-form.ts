import {
  type AskedQuestion,
  allowsFreeText,
  bareText,
  expectedOf,
  isRequired,
  optionValue,
  printable,
  printableLine,
  type QuestionResponse,
  type Responses,
  takesOnlyFiles,
} from '@sandagent/core/internal'
import type { ModalChild, ModalElement } from 'chat'
import { callText, numberedOptions, titleOf, wholeTextsOf } from '../lib/notice-text.ts'
import type { Notice } from '../notice.ts'
import { block, type ChatPlatform, fits, label } from './chat-platforms.ts'

type Question = Notice['question']

/** Slack's limits: of parts of a form, of options in a list, and of texts, in characters. */
const MOST_PARTS = 100
const MOST_OPTIONS = 100
const LONGEST = { option: 75, placeholder: 150 }

export const FORM_ID = 'ask:form'

/** Whether a form can show a question to its end, and take the answer. Forms of `chat` have no list to pick several from. */
export const isFormPossible = (question: Question, platform: ChatPlatform): boolean =>
  platform.hasForms &&
  question.questions.every(isAnswerable) &&
  (question.questions.length === 1 || question.questions.every(({ multiSelect }) => !multiSelect)) &&
  fits([...wholeTextsOf(question), ...listsOf(question)], platform) &&
  partsOf(question, [], platform).length <= MOST_PARTS

/** The platform would read a secret, and its forms take no files here. */
const isAnswerable = (question: AskedQuestion): boolean =>
  !question.secret && !takesOnlyFiles(question) && (question.options ?? []).length <= MOST_OPTIONS

/** @param picked the options that were picked in the message, where several can be */
export const formOf = (
  question: Question,
  picked: readonly number[],
  { platform, ref }: { platform: ChatPlatform; ref: string },
): ModalElement => ({
  type: 'modal',
  callbackId: FORM_ID,
  privateMetadata: ref,
  title: 'Answer',
  submitLabel: 'Send',
  closeLabel: 'Not now',
  children: partsOf(question, picked, platform),
})

/** The options of each question whose list would cut one of them. */
const listsOf = ({ questions, kind }: Question): string[] =>
  questions.flatMap((question) => (isListed(question) ? numberedOptions(question, kind) : []))

const isListed = (question: AskedQuestion): boolean =>
  (question.options ?? []).some(
    (option) =>
      label(titleOf(question, option)).length > LONGEST.option ||
      label(option.description ?? '').length > LONGEST.option ||
      option.preview !== undefined,
  )

function partsOf(whole: Question, picked: readonly number[], platform: ChatPlatform): ModalChild[] {
  const text = (content: string): ModalChild => ({ type: 'text', content: block(content, platform) })
  return [
    ...(whole.subject ? [text(callText(whole.subject))] : []),
    ...whole.questions.flatMap((question, index) => [
      ...(isListed(question) ? numberedOptions(question, whole.kind).map(text) : []),
      ...inputsOf(question, index, picked, text),
    ]),
    ...(whole.kind === 'approval' ? [typed('note', 'A note that tells the agent why')] : []),
  ]
}

const typed = (
  id: string,
  title: string,
  more: { optional: boolean; placeholder?: string } = { optional: true },
) => ({ type: 'text_input', id, label: title, multiline: true, ...more }) as const

function inputsOf(
  question: AskedQuestion,
  index: number,
  picked: readonly number[],
  text: (content: string) => ModalChild,
): ModalChild[] {
  const { options = [], multiSelect } = question
  const placeholder = question.placeholder || (question.typed && expectedOf(question.typed))
  const optional = !isRequired(question)
  const title = label(printable(question.question)) || `Question ${index + 1}`
  const hint = placeholder ? { placeholder: cut(printableLine(placeholder), LONGEST.placeholder) } : {}
  if (options.length === 0) return [typed(`${index}-text`, title, { optional, ...hint })]
  const own = typed(`${index}-text`, 'Something else', { optional: true, ...hint })
  if (multiSelect) {
    const titles = options
      .filter((_, at) => picked.includes(at))
      .map((option) => `✓ ${titleOf(question, option)}`)
    return [...[printable(question.question), ...titles].map(text), own]
  }
  const mayType = allowsFreeText(question)
  const select: ModalChild = {
    type: 'select',
    id: `${index}-pick`,
    label: title,
    // What is missing in both, the host says.
    optional: optional || mayType,
    options: options.map((option, at) => {
      const name = titleOf(question, option) || `Option ${at + 1}`
      const isCut = isListed(question)
      return {
        label: cut(label(isCut ? `${at + 1}. ${name}` : name), LONGEST.option),
        value: `${at}`,
        ...(!isCut && option.description && { description: label(printableLine(option.description)) }),
      }
    }),
  }
  return [select, ...(mayType ? [own] : [])]
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

/** The responses that a form carries. Questions without an answer have none. */
export function responsesIn(
  { questions, kind }: Question,
  values: Readonly<Record<string, string>>,
  picked: readonly number[],
): Responses {
  const entries = questions.flatMap((question, index): [string, QuestionResponse][] => {
    const pick = values[`${index}-pick`]
    const chosen = pick ? [Number(pick)] : question.multiSelect ? picked : []
    const selected = selectedIn(question, chosen)
    const freeText = bareText(question, values[`${index}-text`]?.trim() ?? '')
    if (selected.length === 0 && !freeText) return []
    const notes = kind === 'approval' ? values.note?.trim() : undefined
    return [
      [question.id, { selected, ...(freeText && { freeText }), ...(notes && { notes }), source: 'human' }],
    ]
  })
  return Object.fromEntries(entries)
}

/** What a response says for the options with these numbers. */
export const selectedIn = ({ options = [] }: AskedQuestion, numbers: readonly number[]): string[] =>
  options.flatMap((option, at) => (numbers.includes(at) ? [optionValue(option)] : []))

/** The part of a form under which is shown what is wrong with a response. */
export function partOfResponse({ questions }: Question, path: string): string {
  const found = questions.findIndex(
    ({ id }) => path === `responses.${id}` || path.startsWith(`responses.${id}.`),
  )
  const index = Math.max(0, found)
  const { options = [], multiSelect } = questions[index] ?? {}
  return `${index}-${options.length > 0 && !multiSelect ? 'pick' : 'text'}`
}
