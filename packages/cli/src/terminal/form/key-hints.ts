import type { AskedQuestion, AskSnapshot } from '@sandagent/core/internal'
import type { FormState } from './form-state.ts'
import { isFilterable, questionOf, type Row } from './rows.ts'

export interface KeyFacts {
  marked: Row | undefined
  isInField: boolean
  listLength: number
  /** What Ctrl-C does. */
  ctrlC: string
  /** Whether a text is shown in part. */
  isCut: boolean
}

/** The keys that work now, and what they do. */
export function hintsOf(
  snapshot: AskSnapshot,
  state: FormState,
  { marked, isInField, listLength, ctrlC, isCut }: KeyFacts,
): string[] {
  const { questions, isEditable, status, kind } = snapshot
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
  else
    hints.push(
      listLength > 0 && pickHint(question, state, listLength),
      '↑/↓ move',
      question.multiSelect ? enterHint(isSeveral) : marked?.kind === 'option' && 'Enter pick',
      isFilterable(question) ? 'type to filter' : kind === 'question' && 'n note',
      isFilterable(question) && 'PgUp/PgDn page',
      steps,
      state.filter === '' ? 'Esc decline' : 'Esc clear the filter',
    )
  return [...hints, isCut && 'Ctrl-O whole text', `Ctrl-C ${ctrlC}`].filter((hint) => hint !== false)
}

/** How to pick without Enter. In a filter, digits are a part of it. */
function pickHint({ multiSelect }: AskedQuestion, { filter }: FormState, listLength: number): string | false {
  if (filter !== '') return multiSelect === true && 'Space check'
  return `${numbers(listLength)} ${multiSelect ? 'or Space check' : 'pick'}`
}

/** The numbers that a page of a list shows. */
const numbers = (listLength: number): string => (listLength === 1 ? '1' : `1–${Math.min(listLength, 9)}`)

const enterHint = (isSeveral: boolean): string => (isSeveral ? 'Enter next' : 'Enter send')
