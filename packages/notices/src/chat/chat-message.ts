import { allowsFreeText, printableLine } from '@sandagent/core/internal'
import type { ActionsElement, ButtonElement, CardElement, LinkButtonElement } from 'chat'
import {
  endingText,
  headlineOf,
  isWholeOnButton,
  numberedOptions,
  titleOf,
  titlesOf,
  wholeTextsOf,
} from '../lib/notice-text.ts'
import { type Notice, type NoticeEnding, questionKey } from '../notice.ts'
import { type ButtonAction, buttonOf } from './button-ref.ts'
import { isFormPossible } from './chat-form.ts'
import { block, type ChatPlatform, fits, inline, label, platformOf } from './chat-platforms.ts'

type Question = Notice['question']

/** The most options that become buttons. */
const MOST_BUTTONS = 10
const MOST_OF_TITLE = 200
/** What a name between numbers and signs may take of a button, in characters. */
const MOST_ON_BUTTON = 30

/** What is said where a chat cannot show all that a person must read, or cannot take the answer. */
export const TOO_LONG = 'This chat cannot show this whole. Read it and answer on the page.'
const NO_BUTTONS = 'This chat cannot take the answer. Give it on the page.'

export interface ChatMessage extends Pick<Notice, 'sandboxId' | 'sandboxName' | 'question'> {
  /** The name of the adapter. */
  adapter: string
  isTextAllowed: boolean
  /** Leads to the form of this question. */
  link?: string | undefined
  /** The numbers of the options that are picked, where several can be. */
  picked?: readonly number[]
}

/** The first line of a message. */
export const headline = (message: Pick<ChatMessage, 'adapter' | 'question' | 'sandboxName'>): string =>
  headlineOf(message, (name) => inline(name, platformOf(message.adapter)))

/** A card with these texts, and nothing else. */
export const cardOf = (...texts: string[]): CardElement => ({
  type: 'card',
  children: texts.map((content) => ({ type: 'text', content })),
})

export function messageOf(message: ChatMessage): CardElement {
  const { adapter, question, isTextAllowed, link } = message
  const platform = isTextAllowed ? platformOf(adapter) : undefined
  if (!platform) return withButtons(cardOf(headline(message)), [], link)
  const texts = textsOf(question)
  const isWhole = fits(texts, platform)
  const shown = isWhole
    ? texts
    : titlesOf({ question, isTextAllowed }).map((title) => printableLine(title, MOST_OF_TITLE))
  const buttons = answerButtons(message, platform)
  const isAnswerable = buttons.some(({ action }) => action !== 'decline')
  const why = isWhole ? NO_BUTTONS : TOO_LONG
  return withButtons(
    cardOf(headline(message), ...shown.map((text) => block(text, platform)), ...(isAnswerable ? [] : [why])),
    buttons.map(({ element }) => element),
    link,
    platform,
  )
}

/** What a message says once its question has ended. */
export function endedMessage(firstLine: string, ending: NoticeEnding, adapter: string): CardElement {
  const { answeredBy, ...rest } = ending
  const platform = platformOf(adapter)
  const by = answeredBy === undefined ? {} : { answeredBy: inline(answeredBy, platform) }
  const card = cardOf(firstLine, `${endingText({ ...rest, ...by })}.`)
  if (!platform?.keepsButtons) return card
  const button: ButtonElement = { type: 'button', id: 'ask:ended', label: 'Ended', disabled: true }
  return { ...card, children: [...card.children, { type: 'actions', children: [button] }] }
}

function withButtons(
  card: CardElement,
  buttons: readonly ButtonElement[],
  link: string | undefined,
  platform?: ChatPlatform,
): CardElement {
  // Telegram refuses a message with a button that leads to this machine.
  const open: LinkButtonElement[] = link?.startsWith('https:')
    ? [{ type: 'link-button', label: 'Open', url: link }]
    : []
  const all = [...buttons, ...open]
  const rows = platform?.isRowPerButton ? all.map((each) => [each]) : all.length > 0 ? [all] : []
  return {
    ...card,
    children: [
      ...card.children,
      ...(link !== undefined && open.length === 0
        ? [{ type: 'link', label: 'Open', url: link } as const]
        : []),
      ...rows.map((children): ActionsElement => ({ type: 'actions', children })),
    ],
  }
}

/** All that a person must read. Options that no button shows whole are among the texts, with numbers. */
const textsOf = (question: Question): string[] => [
  ...wholeTextsOf(question),
  ...(isNumbered(question) ? question.questions.flatMap((each) => numberedOptions(each, question.kind)) : []),
]

const isNumbered = (question: Question): boolean =>
  question.questions.length === 1 &&
  (question.questions[0]?.options ?? []).some((option) => !isWholeOnButton(option, question))

/** What people can do in a chat about a question. Buttons of older messages are checked by it, too. */
export function actionsOn(question: Question, platform: ChatPlatform): ReadonlySet<ButtonAction> {
  const actions = new Set<ButtonAction>()
  const [only, ...others] = question.questions
  if (!only || !fits(textsOf(question), platform)) return actions
  const count = only.options?.length ?? 0
  const isChoice = others.length === 0 && count > 0 && count <= MOST_BUTTONS
  if (isChoice && only.multiSelect) actions.add('pick').add('send')
  if (isChoice && !only.multiSelect) actions.add('give')
  const hasMore = !isChoice || allowsFreeText(only) || question.kind === 'approval'
  if (hasMore && (isChoice || !only.multiSelect) && isFormPossible(question, platform)) actions.add('form')
  if (question.kind === 'question') actions.add('decline')
  return actions
}

interface AnswerButton {
  action: ButtonAction
  element: ButtonElement
}

function answerButtons(message: ChatMessage, platform: ChatPlatform): AnswerButton[] {
  const { question, picked = [] } = message
  const key = questionKey(message)
  const actions = actionsOn(question, platform)
  const bits = bitsOf(picked)
  const button = (action: ButtonAction, number: number, text: string): AnswerButton[] =>
    actions.has(action)
      ? [{ action, element: { type: 'button', label: label(text), ...buttonOf({ key, action, number }) } }]
      : []
  const [only] = question.questions
  const names = (only?.options ?? []).map((option, index) => {
    const title = (only && titleOf(only, option)) || `Option ${index + 1}`
    return isNumbered(question) ? `${index + 1}. ${printableLine(title, MOST_ON_BUTTON)}` : title
  })
  return [
    ...names.flatMap((name, index) => button('give', index, name)),
    ...names.flatMap((name, index) =>
      picked.includes(index)
        ? button('pick', bits & ~(1 << index), `✓ ${name}`)
        : button('pick', bits | (1 << index), name),
    ),
    ...(bits > 0 ? button('send', bits, 'Send') : []),
    ...button('form', bits, formName(question, actions)),
    ...button('decline', 0, 'Decline'),
  ]
}

function formName({ kind }: Question, actions: ReadonlySet<ButtonAction>): string {
  if (!actions.has('give') && !actions.has('pick')) return 'Answer…'
  return kind === 'approval' ? 'With a note…' : 'Something else…'
}

const bitsOf = (numbers: readonly number[]): number =>
  numbers.reduce((bits, number) => bits | (1 << number), 0)

/** The numbers of the options that these bits stand for. */
export const numbersIn = (bits: number): number[] =>
  Array.from({ length: MOST_BUTTONS }, (_, number) => number).filter((number) => (bits >> number) & 1)
