import {
  assumptionOf,
  ignoredText,
  printableLine,
  quotedName,
  READER_NOTES,
  READER_TEXTS,
  readerOf,
  takesText,
} from '@sandagent/core/internal'
import type { InboxQuestion } from '@sandagent/inbox'
import type { CliIo } from '../../io.ts'
import { lasting } from '../../lasting.ts'
import { styled } from '../../styled.ts'
import { wrap } from '../../terminal/form/draw/wrap.ts'
import { plain } from '../../terminal/subject-lines.ts'

/** How much of a text of an agent is shown, in characters. */
const MOST = 300

/** A question in a few lines: its id, what is asked, the choices, and where it comes from. */
export function questionBlock(
  { sandboxName, runId, question }: InboxQuestion,
  { stream, now }: { stream: CliIo['stdout']; now: number },
): string {
  const { toolCallId, questions, subject, asker, askedAt, remainingMs } = question
  const [first] = questions
  const more = questions.length > 1 ? ` (and ${questions.length - 1} more)` : ''
  const options = (first?.options ?? []).map(({ label }) => label)
  const choices =
    first && questions.length === 1
      ? [...options, takesText(first) ?? []].flat().map((choice) => printableLine(choice, MOST))
      : []
  const facts = [
    `in ${printableLine(sandboxName)}`,
    runId && `run ${printableLine(runId, MOST)}`,
    asker && `asked by ${asker.agent === undefined ? 'a subagent' : quotedName(printableLine(asker.agent))}`,
    askedAt && `${lasting(now - Date.parse(askedAt))} ago`,
    remainingMs !== null && (remainingMs > 0 ? `${lasting(remainingMs)} left` : 'overdue'),
    readerText(question),
  ].filter(Boolean)
  const lines = [
    [
      styled('bold', printableLine(toolCallId), stream),
      printableLine(first?.question ?? '', MOST) + more,
    ].join('  '),
    // In JSON, no value looks like another key.
    ...(subject ? [cut(plain(`${subject.toolName} ${JSON.stringify(subject.input)}`))] : []),
    ...(choices.length > 0 ? [choices.join(' | ')] : []),
    ...(question.ignored ? [ignoredText(question)] : []),
    ...(question.passkeyNote === undefined ? [] : [question.passkeyNote]),
    styled('dim', facts.join(' · '), stream),
  ]
  return `${lines.flatMap((line, index) => wrapped(index === 0 ? line : `  ${line}`, stream)).join('\n')}\n`
}

function readerText(question: InboxQuestion['question']): string | false {
  const reader = readerOf(question)
  return reader === 'goes on' ? goesOnText(question) : (READER_NOTES[reader] ?? false)
}

/** What becomes of an answer that was given now, if its agent is not there. */
export function keptLine(question: InboxQuestion['question']): string {
  const reader = readerOf(question)
  return reader === 'waits' || reader === 'goes on' ? '' : `sandagent: ${READER_TEXTS[reader]}\n`
}

/** That the agent works on, and what it assumes in its only question. */
function goesOnText({ questions }: InboxQuestion['question']): string {
  const [only, second] = questions
  const assumption = only && !second ? assumptionOf(only) : undefined
  return assumption === undefined
    ? (READER_NOTES['goes on'] ?? '')
    : `goes on with ${printableLine(assumption, MOST)}`
}

/** A terminal would wrap a long line to where the next question begins. */
function wrapped(line: string, { isTTY, columns }: CliIo['stdout']): string[] {
  const [first = '', ...rest] = isTTY && columns ? wrap(line, Math.max(20, columns - 6)) : [line]
  return [first, ...rest.map((part) => `  ╎ ${part}`)]
}

/** That a question waits no longer, and why. */
export function endingLine({ question }: InboxQuestion): string {
  const { toolCallId, state, declined, asksBack, answeredBy } = question
  const what = asksBack ? 'asked back' : state === 'sent' ? (declined ? 'declined' : 'answered') : state
  const by = answeredBy === undefined ? '' : ` by ${printableLine(answeredBy, MOST)}`
  return `${printableLine(toolCallId)}  ${what}${by}\n`
}

const cut = (text: string): string =>
  text.length > MOST ? `${text.slice(0, MOST)} … ${text.length - MOST} more characters` : text
