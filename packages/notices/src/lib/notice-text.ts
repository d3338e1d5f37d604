import {
  APPROVAL_OPTIONS,
  jsonForPeople,
  printable,
  printableLine,
  questionTitle,
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

/** What a notice says in one line. It has no words of the question. */
export const headlineOf = ({ question, sandboxName }: Notice): string =>
  `An agent in ${placeIn(sandboxName)} ${question.kind === 'approval' ? 'asks for permission' : 'has a question'}`

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
export const titlesOf = ({ question: { questions }, isTextAllowed }: Notice): string[] =>
  isTextAllowed ? questions.slice(0, 3).map((question) => printableLine(questionTitle(question))) : []

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

const ENDINGS: Readonly<Record<NoticeEnding['state'], string>> = {
  answered: 'Answered',
  partial: 'Answered in part',
  declined: 'Declined',
  'timed-out': 'The time has run out',
  aborted: 'The agent has stopped asking',
  gone: 'Nobody asks this any more',
}

/** How a question has ended, in one line. */
export const endingText = ({ state, answeredBy }: NoticeEnding): string =>
  answeredBy === undefined
    ? ENDINGS[state]
    : `${ENDINGS[state]} by ${printableLine(answeredBy, MOST_OF_NAME)}`
