import { allowsFreeText, optionTitle, printableLine } from '@sandagent/core/internal'
import type { Button, KnownBlock, PlainTextElement } from '@slack/types'
import {
  endingText,
  headlineOf,
  isTooLong,
  isWholeOnButton,
  textsOf,
  titlesOf,
  wholeTextsOf,
} from '../lib/notice-text.ts'
import type { Notice, NoticeEnding } from '../notice.ts'
import { isFormPossible, wholeSection } from './question-form.ts'
import { type QuestionRef, refText } from './question-ref.ts'

export const PICK = 'sandagent-pick'
export const FORM = 'sandagent-form'

/** What `chat.postMessage` takes. */
export interface SlackMessage {
  text: string
  blocks: KnownBlock[]
}

/** The most options that become buttons. */
const MOST_BUTTONS = 5
/** How many texts a message shows. */
const MOST_TEXTS = 10

/** What is said where Slack cannot show all that a person must read. */
export const TOO_LONG = 'Slack cannot show this whole. Read it and answer on the page.'

/** Text for Slack's own markup: it cannot call people, link or format. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const plain = (text: string): PlainTextElement => ({ type: 'plain_text', text, emoji: false })

/** @param hasButtons whether a handler takes what people click */
export function messageOf(notice: Notice, { hasButtons }: { hasButtons: boolean }): SlackMessage {
  const { link, person } = notice
  // Everybody in a channel could answer by the link, with the name of this person.
  const isChannel = /^[CG]/.test(person.address ?? '')
  const texts = textsOf(notice)
  const mayAnswerHere = hasButtons && notice.isTextAllowed
  const answers = mayAnswerHere ? answerButtons(notice) : []
  const buttons = [
    ...answers,
    ...(link === undefined || isChannel ? [] : [{ ...button('Open', 'sandagent-link'), url: link }]),
  ]
  return {
    text: escaped([headlineOf(notice), ...titlesOf(notice)].join('\n')),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${escaped(headlineOf(notice))}*` } },
      ...texts.slice(0, MOST_TEXTS).map(wholeSection),
      ...(mayAnswerHere && answers.length === 0 ? [wholeSection(TOO_LONG)] : []),
      ...(buttons.length > 0 ? [{ type: 'actions', elements: buttons } as const] : []),
    ],
  }
}

/** What a message says once its question has ended. */
export function endedMessage(headline: string, ending: NoticeEnding): SlackMessage {
  const text = `${escaped(headline)}\n${escaped(endingText(ending))}.`
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] }
}

type Question = Notice['question']

/** Whether a message shows the question to its end, so that it may have buttons. */
const isReadWhole = (question: Question): boolean => {
  const texts = wholeTextsOf(question)
  return texts.length <= MOST_TEXTS && !texts.some(isTooLong)
}

/** Whether the options of a question become buttons: those of one single choice with few of them. */
export function hasPicks(question: Question): boolean {
  const [only, ...others] = question.questions
  const options = only?.options ?? []
  return (
    isReadWhole(question) &&
    others.length === 0 &&
    !only?.multiSelect &&
    options.length > 0 &&
    options.length <= MOST_BUTTONS &&
    options.every((option) => isWholeOnButton(option, question))
  )
}

/** A button for each option, and one for the form. */
function answerButtons({ sandboxId, question }: Notice): Button[] {
  if (!isReadWhole(question)) return []
  const { toolCallId, askedAt, questionDigest, questions } = question
  const ref: QuestionRef = { sandboxId, toolCallId, askedAt, questionDigest }
  const [only] = questions
  const isChoice = hasPicks(question)
  const titles = only && isChoice ? (only.options ?? []).map((option) => optionTitle(only, option)) : []
  const picks = titles.map((title, option) => ({
    ...button(printableLine(title) || `Option ${option + 1}`, `${PICK}-${option}`),
    value: refText({ ...ref, option }),
  }))
  const needsForm = !isChoice || (only !== undefined && allowsFreeText(only))
  const form =
    needsForm && isFormPossible(question)
      ? [{ ...button(isChoice ? 'Something else…' : 'Answer…', FORM), value: refText(ref) }]
      : []
  return [...picks, ...form].flatMap(({ value, ...each }) => (value === null ? [] : [{ ...each, value }]))
}

const button = (text: string, action: string): Button => ({
  type: 'button',
  text: plain(text),
  action_id: action,
})
