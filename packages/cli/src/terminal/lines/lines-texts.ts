import {
  type ApprovalSubject,
  type AskError,
  type AskedQuestion,
  type AskSession,
  allowsFreeText,
  expectedOf,
  ignoredText,
  isRequired,
  optionTitle,
  type PolicyRule,
  planIn,
  printable,
  printableLine,
  type QuestionOption,
  questionTitle,
  readComments,
  responseTo,
  type ShownExchange,
  shownOption,
  votesText,
  whoMayAnswer,
  writeComments,
} from '@sandagent/core/internal'
import { answerText, noteText } from '../answer-text.ts'
import { hanging, wrap } from '../form/draw/wrap.ts'
import { assumptionIn } from '../form/rows.ts'
import { readerText, standsText } from '../reader-text.ts'
import { filesIn } from '../session/give-file.ts'
import { givenTexts } from '../session/given-texts.ts'
import { subjectLines } from '../subject-lines.ts'

/** What is no text: arrow keys put it into a line, and so does a terminal that replies to a program. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
export const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd]/

export const UNREAD =
  'An empty line shows more. Nothing can be allowed before all was shown. /decline REASON declines.'

const INDENT = '     '

export const isCommand = (name: string): boolean => ['back', 'again', 'note'].includes(name)

export const COMMANDS = `/note TEXT adds a note. /back goes back. /again reads the question again. /decline REASON declines.`

/** That an answer has not left yet, and why. */
export const notSentYet = (error: AskError | null): string =>
  `Not sent yet, trying again. What you entered is kept. ${printableLine(error?.message ?? '')}`.trimEnd()

/** Who asked back before. */
export const askedBefore = ({ name, isOwn }: ShownExchange): string =>
  isOwn ? 'You asked' : `${printableLine(name ?? 'Somebody')} asked`

/** What was asked back, and the agent's words since then behind its bar. */
export const exchangeText = (exchange: ShownExchange): string => {
  const { question, reply } = exchange
  const said = reply === undefined ? [] : ['The agent says:', ...behindBar(reply)]
  return [`${askedBefore(exchange)}: ${printableLine(question)}`, ...said].join('\n')
}

const behindBar = (text: string): string[] =>
  printable(text)
    .split('\n')
    .map((line) => `│ ${line}`)

export const mayNotText = (rule: PolicyRule): string =>
  `Only ${printableLine(whoMayAnswer(rule))} may answer this.`

interface ShownQuestion {
  step: number
  /** The choices that are offered. */
  options: readonly QuestionOption[]
  subject: ApprovalSubject | undefined
  width: number
}

/** What a question is and how to answer it, in lines that fit the terminal. */
export function questionLines(
  session: AskSession,
  question: AskedQuestion,
  { step, options, subject, width }: ShownQuestion,
): string[] {
  const snapshot = session.getSnapshot()
  const { questions, entered, rule, votes, takesQuestions, view } = snapshot
  const assumption = assumptionIn(snapshot, question)
  const reader = readerText(snapshot, question)
  const { multiSelect } = question
  const needed = [view ? ignoredText(view) : '', view?.passkeyNote ?? '', votesText(rule, votes.length)]
    .filter((text) => text !== '')
    .join('. ')
  const place = questions.length > 1 ? `Question ${step + 1} of ${questions.length}. ` : ''
  const choices = options.flatMap((option, index) => {
    const { isRecommended } = shownOption(question, option)
    const label = printableLine(optionTitle(question, option))
    return [
      ...hanging(`  ${index + 1}. `, wrap(`${label}${isRecommended ? ' (recommended)' : ''}`, width - 6)),
      ...[option.description, option.preview].flatMap((text) => (text ? indented(text, width) : [])),
    ]
  })
  const how = [
    options.length > 0 && (multiSelect ? 'Type numbers to check or uncheck them.' : 'Type a number.'),
    question.secret && 'Type the secret. Nothing of it is shown.',
    allowsFreeText(question) &&
      (options.length > 0
        ? 'Or type your own answer.'
        : question.typed
          ? `Type ${printableLine(expectedOf(question.typed))}.`
          : 'Type your answer.'),
    question.files &&
      (view?.takesFiles ? '/attach PATH gives a file.' : 'Files cannot be given here: answer on the page.'),
    ...givenTexts(question, snapshot),
    (multiSelect || responseTo(entered, question) !== undefined) && 'An empty line goes on.',
    !multiSelect && !isRequired(question) && 'An empty line leaves this out.',
    subject && planIn(subject) !== undefined && 'Type 12: TEXT to comment on line 12.',
    COMMANDS,
    subject?.editable === true && '/edit changes the call before you allow it.',
    assumption !== undefined && `/stand lets it stand: ${standsText(snapshot, printableLine(assumption))}.`,
    takesQuestions && '/ask TEXT asks the agent, and decides nothing.',
  ].filter(Boolean)
  const before = answerText(question, entered)
  return [
    '',
    indented(`${place}${question.question}`, width).join('\n').trimStart(),
    ...(subject ? subjectLines(subject, width - 2).map((line) => `│ ${line}`) : []),
    ...choices,
    ...(reader === undefined ? [] : [reader]),
    ...(before === null ? [] : [`Entered so far: ${before}`]),
    ...(needed === '' ? [] : [`${needed}.`]),
    how.join(' '),
  ].flatMap((line) => line.split('\n'))
}

/** Lines of the agent are indented, so that none looks like one of the form. */
const indented = (text: string, width: number): string[] =>
  wrap(printable(text), width - INDENT.length).map((line) => `${INDENT}${line}`)

/** The note about a plan with one more comment: `12: Not this one`. `null` if the line is none. */
export function commentedNote(
  session: AskSession,
  { question, subject }: { question: AskedQuestion; subject: ApprovalSubject | undefined },
  line: string,
): string | null {
  const plan = subject && planIn(subject)
  if (plan === undefined) return null
  const [[number, text] = []] = readComments(plan, line).lines
  if (number === undefined) return null
  const note = responseTo(session.getSnapshot().entered, question)?.notes ?? ''
  const { lines, rest } = readComments(plan, note)
  return writeComments({ rest, lines: new Map(lines).set(number, text ?? '') })
}

/** What was given, after it has changed. */
export function filesText(session: AskSession, question: AskedQuestion): string {
  const names = filesIn(session, question).map(({ name }) => printableLine(name))
  return names.length === 0
    ? 'No file is given.'
    : `Given: ${names.join(', ')}. An empty line goes on. /attach alone takes the files away.`
}

export function checkedText(session: AskSession, question: AskedQuestion): string {
  const entered = answerText(question, session.getSnapshot().entered)
  return `${entered === null ? 'Nothing is checked.' : `Checked: ${entered}.`} An empty line goes on.`
}

export function reviewLines(session: AskSession): string {
  const { questions, entered, unanswered } = session.getSnapshot()
  const missing = questions.filter((question) => isRequired(question) && unanswered.includes(question.id))
  const answers = questions.map((question, index) => {
    const note = noteText(question, entered)
    const answer = answerText(question, entered) ?? (isRequired(question) ? 'not answered' : 'left out')
    return `  ${index + 1}. ${printableLine(questionTitle(question))}: ${answer}${note === null ? '' : `. Note: ${note}`}`
  })
  const warning = missing.length > 0 ? [`Not answered: ${missing.length} of ${questions.length}.`] : []
  return [
    '',
    'Your answers:',
    ...answers,
    ...warning,
    'Type send, or the number of a question to change it.',
  ].join('\n')
}
