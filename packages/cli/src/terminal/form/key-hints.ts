import type { AskedQuestion, AskSnapshot } from '@sandagent/core/internal'
import type { Drawing } from './draw/drawing.ts'
import type { Page } from './draw/pages.ts'
import type { FormState } from './form-state.ts'
import {
  isFilterable,
  isFiltering,
  isPicked,
  isPlan,
  NUMBER_KEYS,
  numberOf,
  questionOf,
  type Row,
} from './rows.ts'

export interface HintFacts extends Pick<Drawing, 'page' | 'pages' | 'text'> {
  marked: Row | undefined
  rows: readonly Row[]
  isInField: boolean
  /** Whether the answer leaves in a moment. */
  isHeld: boolean
  /** What Ctrl-C does. */
  ctrlC: string
  /** Whether a text is shown in part. */
  isCut: boolean
}

/** The keys that work now, and what they do. */
export function hintsOf(
  snapshot: AskSnapshot,
  state: FormState,
  { marked, rows, isInField, page, pages, text, isHeld, ctrlC, isCut }: HintFacts,
): string[] {
  const { questions, isEditable, status } = snapshot
  if (isHeld) return ['z or Esc undo', 'Enter send now', `Ctrl-C ${ctrlC}`]
  if (status === 'retrying') return ['r try now', 'Esc stop trying', `Ctrl-C ${ctrlC}`]
  if (status === 'voted') return ['c change your vote', `Ctrl-C ${ctrlC}`]
  if (status === 'not-allowed') return [`Ctrl-C ${ctrlC}`]
  if (!isEditable) return ['Sending…']
  const question = questionOf(snapshot, state)
  const isSeveral = questions.length > 1
  const steps =
    isSeveral && state.part === 'question' && (isInField ? 'Tab/Shift-Tab question' : '←/→ question')
  const hints: (string | false)[] = []
  const isRead = text.unread === 0
  const textKeys = isRead && text.to - text.from < text.length && 'PgUp/PgDn text'
  if (state.part === 'edit')
    hints.push(
      'Enter look at the change',
      'Ctrl-J new line',
      state.edit?.field !== null && 'Tab all of it as JSON',
      state.hasEditor && 'Ctrl-G your editor',
      'Esc back',
    )
  else if (state.part === 'changes' || state.part === 'scopes')
    hints.push(
      isRead ? pickHint(question as AskedQuestion, state, page) : 'Space more lines',
      textKeys,
      isRead && marked !== undefined && 'Enter allow',
      state.part === 'changes' ? 'Esc back to the text' : 'Esc back',
    )
  else if (isInField)
    hints.push(
      marked?.kind === 'reason'
        ? 'Enter decline'
        : marked?.kind === 'ask'
          ? 'Enter ask'
          : marked?.kind === 'note'
            ? 'Enter done'
            : marked?.kind === 'file' && state.path.trim() !== ''
              ? 'Enter add'
              : enterHint(isSeveral),
      marked?.kind === 'own' && rows.length === 1 && question && numberOf(question)
        ? '↑/↓ change'
        : marked?.kind !== 'file' && 'Ctrl-J new line',
      steps,
      'Esc back',
    )
  else if (state.part === 'decline') hints.push('↑/↓ move', 'Enter choose', 'Esc back')
  else if (state.isWalk) return walkHints(snapshot, state, { marked, rows, page, text, steps, isCut, ctrlC })
  else if (!question) hints.push('↑/↓ move', 'Enter choose', steps, 'Esc decline')
  else {
    const hasNote = rows.some(({ kind }) => kind === 'note')
    hints.push(
      isRead ? pickHint(question, state, page) : 'Space more lines',
      textKeys,
      '↑/↓ move',
      enterHintFor(snapshot, state, question, marked),
      isFilterable(question) ? 'type to filter' : isPlan(state) ? 'n comments' : hasNote && 'n note',
      pages.length > 1 && 'PgUp/PgDn page',
      ...callHints(rows),
      steps,
      !isFiltering(state) ? 'Esc decline' : 'Esc clear the filter',
    )
  }
  return [...hints, isCut && 'Ctrl-O whole text', `Ctrl-C ${ctrlC}`].filter((hint) => hint !== false)
}

/** The ways to shape an approval, where there are any. */
const callHints = (rows: readonly Row[]): (string | false)[] => [
  rows.some(({ kind }) => kind === 'edit') && 'c change it',
  rows.some(({ kind }) => kind === 'more') && 'm allow more',
]

/** In a walk, the keys of the question come first. `?` lists all of them. */
function walkHints(
  snapshot: AskSnapshot,
  state: FormState,
  {
    marked,
    rows,
    page,
    text,
    steps,
    isCut,
    ctrlC,
  }: Pick<HintFacts, 'marked' | 'rows' | 'page' | 'text' | 'isCut' | 'ctrlC'> & { steps: string | false },
): string[] {
  const question = questionOf(snapshot, state)
  const isApproval = state.asked.kind === 'approval'
  const isOnText = question && (question.options ?? []).length === 0
  const hints = [
    text.unread > 0 ? 'Space more lines' : question && !isOnText && pickHint(question, state, page),
    !question
      ? 'Enter choose'
      : isOnText && marked?.kind !== 'let stand'
        ? 'Enter type'
        : enterHintFor(snapshot, state, question, marked),
    question && isFilterable(question) && '/ filter',
    steps,
    isApproval && 'a/d allow, deny',
    isPlan(state) && 'n comments',
    ...callHints(rows),
    !isApproval && 'd decline',
    'j/k next, before',
    's not now',
    isApproval && 'b all of this tool',
    isCut && 'Ctrl-O whole text',
    '? keys',
    `Ctrl-C ${ctrlC}`,
  ]
  return hints.filter((hint) => typeof hint === 'string')
}

/** How to pick without Enter: by the numbers that are in sight. In a filter, digits are a part of it. */
function pickHint({ multiSelect }: AskedQuestion, state: FormState, { from, to }: Page): string | false {
  const [first, last] = [from + 1, Math.min(to, NUMBER_KEYS)]
  if (isFiltering(state) || first > last) return to > from && multiSelect === true && 'Space check'
  const numbers = first === last ? `${first}` : `${first}–${last}`
  return `${numbers} ${multiSelect ? 'or Space check' : 'pick'}`
}

/** What Enter does with the row that has the mark. */
function enterHintFor(
  snapshot: AskSnapshot,
  state: FormState,
  question: AskedQuestion,
  marked: Row | undefined,
): string | false {
  const sends = enterHint(snapshot.questions.length > 1)
  if (marked?.kind === 'let stand') return state.hasMarked ? sends : 'Enter pick'
  if (marked?.kind !== 'option') return question.multiSelect === true && sends
  if (question.multiSelect) return isPicked(snapshot, question, marked) ? sends : 'Enter check'
  return state.hasMarked || isPicked(snapshot, question, marked) ? sends : 'Enter pick'
}

const enterHint = (isSeveral: boolean): string => (isSeveral ? 'Enter next' : 'Enter send')
