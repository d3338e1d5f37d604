import {
  APPROVAL_OPTIONS,
  type AskedQuestion,
  ENDING_TEXTS,
  jsonForPeople,
  optionTitle,
  printable,
  printableLine,
  questionTitle,
  readerOf,
  visible,
} from '@sandagent/core/internal'
import type { Notice, NoticeEnding } from '../notice.ts'

/** How much of a name and of a question is shown, in characters. */
const MOST_OF_NAME = 100
const MOST_OF_TEXT = 2_000
const MOST_ON_BUTTON = 30

/** The name of a sandbox, or the last part of a path: the others, and the command before them, stay on this machine. */
const placeIn = (sandboxName: string): string =>
  printableLine(sandboxName.split(SEPARATOR).filter(Boolean).at(-1) ?? sandboxName, MOST_OF_NAME)

/** A separator before a space is one of prose. */
const SEPARATOR = /[/\\:](?!\s)/

/** What a notice says in one line. It has no words of the question. @param shown changes the name of the sandbox */
export const headlineOf = (
  { question, sandboxName }: Pick<Notice, 'question' | 'sandboxName'>,
  shown: (name: string) => string = (name) => name,
): string =>
  `An agent in ${shown(placeIn(sandboxName))} ${question.kind === 'approval' ? 'asks for permission' : 'has a question'}${readerOf(question) === 'goes on' ? ', and goes on without you' : ''}`

type Question = Notice['question']
type Option = NonNullable<Question['questions'][number]['options']>[number]

/** The call that an approval permits, with all that is in it, and why it is asked. A reason stays in its line. */
export const callText = ({ toolName, input, reasons = [] }: NonNullable<Question['subject']>): string =>
  visible(
    [
      `${toolName} ${jsonForPeople(input)}`,
      ...reasons.map(({ by, text }) => `${SAID_BY[by]}: ${JSON.stringify(text)}`),
    ].join('\n'),
  )

const SAID_BY = { rule: 'It asks because', agent: 'The agent says' }

/** The questions, and what an approval permits: a text for each. Nothing is cut. */
export const wholeTextsOf = ({ questions, subject }: Pick<Question, 'questions' | 'subject'>): string[] => [
  ...questions.map(({ question }) => printable(question)),
  ...(subject ? [callText(subject)] : []),
]

/** The same for a notice, and cut. None if the words may not leave this machine. */
export const textsOf = ({ question, isTextAllowed }: Notice): string[] =>
  isTextAllowed ? wholeTextsOf(question).map(cut) : []

/** The first questions in one line each. */
export const titlesOf = ({
  question: { questions },
  isTextAllowed,
}: Pick<Notice, 'question' | 'isTextAllowed'>): string[] =>
  isTextAllowed ? questions.slice(0, 3).map((question) => printableLine(questionTitle(question))) : []

/** The label of an option in one line. */
export const titleOf = (question: AskedQuestion, option: Option): string =>
  printableLine(optionTitle(question, option))

/** The options whole, with numbers: a text for each. */
export function numberedOptions(question: AskedQuestion, kind: Question['kind']): string[] {
  // What a person permits by, such as the scope for a session, is shown with all that is in it.
  const shown = kind === 'approval' ? visible : printable
  return (question.options ?? []).map((option, index) => {
    const more = [option.description, option.preview].flatMap((text) => (text ? [shown(text)] : []))
    return [`${index + 1}. ${titleOf(question, option)}`, ...more].join('\n')
  })
}

/** Whether a button shows all that a person must know of an option. Systems cut longer labels. */
export function isWholeOnButton(option: Option, { kind }: Pick<Question, 'kind'>): boolean {
  const { label, value, description, preview } = option
  // What the runner says about this option is for the form alone.
  const isDenial = kind === 'approval' && value === APPROVAL_OPTIONS.deny.value
  return label.length <= MOST_ON_BUTTON && preview === undefined && (isDenial || description === undefined)
}

/** Whether a text is cut where it is shown. Nobody answers by a button what they cannot read. */
export const isTooLong = (text: string): boolean => text.length > MOST_OF_TEXT

const cut = (text: string): string => (isTooLong(text) ? `${text.slice(0, MOST_OF_TEXT)}…` : text)

/** What people are told who click or type in a chat. */
export const STRANGER = 'You are not among the people who may answer this.'
export const votedText = (missing: number): string =>
  `Your answer is a vote. ${missing === 1 ? 'One more person' : `${missing} more people`} must give the same.`

const ENDINGS: Readonly<Record<NoticeEnding['state'], string>> = {
  ...ENDING_TEXTS,
  answered: 'Answered',
  partial: 'Answered in part',
  declined: 'Declined',
  gone: 'Nobody asks this any more',
}

/** How a question has ended, in one line. */
export const endingText = ({ state, answeredBy }: NoticeEnding): string =>
  answeredBy === undefined
    ? ENDINGS[state]
    : `${ENDINGS[state]} by ${printableLine(answeredBy, MOST_OF_NAME)}`
