import type { AskedQuestion, AskSnapshot } from '@sandagent/core/internal'
import type { Drawing } from './draw/drawing.ts'
import type { Page } from './draw/pages.ts'
import type { FormState } from './form-state.ts'
import { isFilterable, isPicked, NUMBER_KEYS, questionOf, type Row } from './rows.ts'

export interface HintFacts extends Pick<Drawing, 'page' | 'pages' | 'text'> {
  marked: Row | undefined
  isInField: boolean
  /** What Ctrl-C does. */
  ctrlC: string
  /** Whether a text is shown in part. */
  isCut: boolean
}

/** The keys that work now, and what they do. */
export function hintsOf(
  snapshot: AskSnapshot,
  state: FormState,
  { marked, isInField, page, pages, text, ctrlC, isCut }: HintFacts,
): string[] {
  const { questions, isEditable, status } = snapshot
  if (status === 'retrying') return ['r try now', 'Esc stop trying', `Ctrl-C ${ctrlC}`]
  if (status === 'voted') return ['c change your vote', `Ctrl-C ${ctrlC}`]
  if (status === 'not-allowed') return [`Ctrl-C ${ctrlC}`]
  if (!isEditable) return ['Sending…']
  const question = questionOf(snapshot, state)
  const isSeveral = questions.length > 1
  const steps = isSeveral && !state.isDeclining && (isInField ? 'Tab/Shift-Tab question' : '←/→ question')
  const hints: (string | false)[] = []
  if (isInField)
    hints.push(
      marked?.kind === 'reason'
        ? 'Enter decline'
        : marked?.kind === 'note'
          ? 'Enter done'
          : enterHint(isSeveral),
      'Ctrl-J new line',
      steps,
      'Esc back',
    )
  else if (state.isDeclining) hints.push('↑/↓ move', 'Enter choose', 'Esc back')
  else if (!question) hints.push('↑/↓ move', 'Enter choose', steps, 'Esc decline')
  else {
    const isApproval = state.asked.kind === 'approval'
    hints.push(
      text.unread > 0 ? 'Space more lines' : pickHint(question, state, page),
      text.unread === 0 && text.to - text.from < text.length && 'PgUp/PgDn text',
      '↑/↓ move',
      question.multiSelect
        ? enterHint(isSeveral)
        : marked?.kind === 'option' &&
            (isPicked(snapshot, question, marked) ? enterHint(isSeveral) : 'Enter pick'),
      isFilterable(question) ? 'type to filter' : !isApproval && 'n note',
      pages.length > 1 && 'PgUp/PgDn page',
      steps,
      state.filter === '' ? 'Esc decline' : 'Esc clear the filter',
    )
  }
  return [...hints, isCut && 'Ctrl-O whole text', `Ctrl-C ${ctrlC}`].filter((hint) => hint !== false)
}

/** How to pick without Enter: by the numbers that are in sight. In a filter, digits are a part of it. */
function pickHint({ multiSelect }: AskedQuestion, { filter }: FormState, { from, to }: Page): string | false {
  const [first, last] = [from + 1, Math.min(to, NUMBER_KEYS)]
  if (filter !== '' || first > last) return to > from && multiSelect === true && 'Space check'
  const numbers = first === last ? `${first}` : `${first}–${last}`
  return `${numbers} ${multiSelect ? 'or Space check' : 'pick'}`
}

const enterHint = (isSeveral: boolean): string => (isSeveral ? 'Enter next' : 'Enter send')
