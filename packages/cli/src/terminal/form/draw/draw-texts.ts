import { type AskedQuestion, type AskSnapshot, optionTitle, printable } from '@sandagent/core/internal'
import type { FormState } from '../form-state.ts'
import { questionOf, type Row, unansweredIn } from '../rows.ts'
import type { HeadContext } from './draw-head.ts'
import { markdownLines } from './markdown.ts'
import type { Paint } from './paint.ts'
import { cutLine, inLine, wrap } from './wrap.ts'

/** The agent's texts stand behind it, so that none of their lines looks like one of the form. */
export const BAR = '│ '
export const behindBar = (line: string, paint: Paint): string =>
  `${paint.dim('│')}${line === '' ? '' : ` ${line}`}`

/** What stands above the rows: the question, or the title of the review. */
export function bodyLines({ snapshot, state, paint, width: whole }: HeadContext): string[] {
  const width = whole - BAR.length
  const { questions } = snapshot
  const question = questionOf(snapshot, state)
  if (state.isDeclining) {
    const hasEntries = snapshot.unanswered.length < questions.length
    const title = hasEntries ? 'Decline, and leave out what you entered?' : 'Decline to answer?'
    return wrap(paint.bold(title), width)
  }
  if (!question) {
    const { length } = unansweredIn(snapshot)
    const warning = `${length} ${length === 1 ? 'question is' : 'questions are'} not answered.`
    return [paint.bold('Check your answers'), ...(length > 0 ? wrap(paint.warn(warning), width) : [])]
  }
  return markdownLines(question.question, width, {
    paint,
    questions,
    isPlain: question.textFormat === 'plain',
  })
}

export interface Previewed {
  question: AskedQuestion
  label: string
  text: string
}

/** The preview of the option that is marked or was marked last. `null` if no option of the question has one. */
export function previewOf(snapshot: AskSnapshot, state: FormState, row: Row | undefined): Previewed | null {
  const question = questionOf(snapshot, state)
  if (!question?.options?.some(({ preview }) => preview !== undefined) || row?.kind !== 'option') return null
  return { question, label: inLine(optionTitle(question, row.option)), text: row.option.preview ?? '' }
}

export function previewLines(
  { label, text }: Previewed,
  width: number,
  { paint, snapshot }: HeadContext,
): string[] {
  const isHtml = /^\s*</.test(text)
  const lines = isHtml
    ? wrap(printable(text), width - BAR.length)
    : markdownLines(text, width - BAR.length, { paint, questions: snapshot.questions, isPlain: false })
  const title = cutLine(text === '' ? `${label} has no preview` : `Preview of ${label}`, width)
  return [paint.dim(title), ...(text === '' ? [] : lines.map((line) => behindBar(line, paint)))]
}
