import {
  type AskSnapshot,
  callHeading,
  optionTitle,
  printable,
  readCall,
  responseTo,
} from '@sandagent/core/internal'
import { subjectLines } from '../../subject-lines.ts'
import { changeLines } from '../edit/change-lines.ts'
import type { FormState } from '../form-state.ts'
import { questionOf, type Row, unansweredIn } from '../rows.ts'
import type { Drawing, View } from './drawing.ts'
import { markdownLines } from './markdown.ts'
import type { Paint } from './paint.ts'
import { countOf, cutLine, inLine, wrap } from './wrap.ts'

/** The agent's texts stand behind it, so that none of their lines looks like one of the form. */
export const BAR = '│ '
export const behindBar = (line: string, paint: Paint): string =>
  `${paint.dim('│')}${line === '' ? '' : ` ${line}`}`

/** What stands above the rows: the question, or the title of the review. */
export function bodyLines({ snapshot, state, paint, width: whole }: View): string[] {
  const width = whole - BAR.length
  const { questions } = snapshot
  const question = questionOf(snapshot, state)
  if (state.part === 'decline') {
    // What is picked in an approval is nothing that was entered.
    const hasEntries = state.asked.kind !== 'approval' && snapshot.unanswered.length < questions.length
    const title = hasEntries ? 'Decline, and leave out what you entered?' : 'Decline to answer?'
    return wrap(paint.bold(title), width)
  }
  if (!question) {
    const { length } = unansweredIn(snapshot)
    const warning = `${length} ${length === 1 ? 'question is' : 'questions are'} not answered.`
    return [paint.bold('Check your answers'), ...(length > 0 ? wrap(paint.warn(warning), width) : [])]
  }
  const { subject } = state.asked
  const { edit } = state
  if (subject && state.part === 'edit')
    return wrap(edit?.field == null ? 'All of the input, as JSON:' : `The ${edit.field}, as text:`, width)
  if (subject && state.part === 'changes' && edit?.changed) return changeLines(subject, edit.changed, width)
  if (subject && state.part === 'scopes')
    return wrap(`${callHeading(readCall(subject))} What do you allow beside it?`, width)
  const asked = markdownLines(question.question, width, {
    paint,
    questions,
    isPlain: question.textFormat === 'plain',
  })
  const { reply } = snapshot.thread.at(-1) ?? {}
  const text =
    reply === undefined ? asked : [...wrap(printable(`The agent says: ${reply}`), width), '', ...asked]
  if (!subject) return text
  const response = responseTo(snapshot.responses, question)
  const input = response && 'selected' in response ? response.input : undefined
  // Somebody edited it: here, on a page, or in another terminal.
  const caption = snapshot.isEditable ? 'Changed to this, which “Allow once” leaves out:' : 'Changed to:'
  const edited =
    input === undefined
      ? []
      : ['', ...wrap(caption, width), ...subjectLines({ ...subject, input }, width).slice(1)]
  const { asksAgain } = snapshot.view ?? {}
  const again = asksAgain === undefined ? [] : ['', ...wrap(printable(asksAgain), width)]
  return [...text, '', ...subjectLines(subject, width), ...edited, ...again]
}

/** Whether all that is shown has to be read before the call, or the changed one, can be allowed. */
export const mustBeRead = ({ snapshot, state }: Pick<View, 'snapshot' | 'state'>): boolean =>
  state.asked.kind === 'approval' &&
  ['question', 'changes', 'scopes'].includes(state.part) &&
  questionOf(snapshot, state) !== undefined

/** A part of a text that has to be read to its end. What the form says of the rest has no bar. */
export function windowOf(
  lines: readonly string[],
  most: number,
  {
    state,
    paint,
    width,
  }: Pick<View, 'paint' | 'width'> & { state: Pick<FormState, 'scrolled' | 'hasReadAll'> },
): { lines: string[] } & Drawing['text'] {
  const from = lines.length <= most ? 0 : Math.min(state.scrolled, lines.length - 1)
  const above = from > 0 ? [paint.warn(cutLine(`… ${countOf(from)} above: PgUp`, width))] : []
  const room = most - above.length
  const isEnd = lines.length - from <= room
  // Nothing is read in a line or two.
  const to = isEnd ? lines.length : Math.max(from, from + room - 1)
  const unread = state.hasReadAll ? 0 : lines.length - to
  const rule = unread > 0 ? ' Nothing can be allowed before all was shown.' : ''
  const below = isEnd
    ? []
    : [paint.warn(cutLine(`… ${countOf(lines.length - to)} more: Space.${rule}`, width))]
  return {
    lines: [...above, ...lines.slice(from, to), ...below],
    from,
    to,
    length: lines.length,
    unread,
  }
}

/** The preview of the option that is marked or was marked last. `null` if no option of the question has one. */
export function previewOf(snapshot: AskSnapshot, state: FormState, row: Row | undefined) {
  const question = questionOf(snapshot, state)
  if (!question?.options?.some(({ preview }) => preview !== undefined) || row?.kind !== 'option') return null
  return { label: inLine(optionTitle(question, row.option)), text: row.option.preview ?? '' }
}

export function previewLines(
  { label, text }: NonNullable<ReturnType<typeof previewOf>>,
  width: number,
  { paint, snapshot }: View,
): string[] {
  const isHtml = /^\s*</.test(text)
  const lines = isHtml
    ? wrap(printable(text), width - BAR.length)
    : markdownLines(text, width - BAR.length, { paint, questions: snapshot.questions, isPlain: false })
  const title = cutLine(text === '' ? `${label} has no preview` : `Preview of ${label}`, width)
  return [paint.dim(title), ...(text === '' ? [] : lines.map((line) => behindBar(line, paint)))]
}
