import { withLineBreaks } from '../lib/text/line-breaks.ts'
import { visible, withoutHidden } from '../lib/text/printable.ts'
import type { Question, QuestionOption, TextFormat } from './question.ts'

/** What an option shows. Its answer always carries the asker's own label or value. */
export interface ShownOption {
  label: string
  isRecommended: boolean
  /** How the label is to be read: as it is written, where Markdown would make it look like another one. */
  textFormat: TextFormat
}

/** What ends the label of a recommended option, also in Markdown. The longer ones come first. */
const ENDINGS = ['**', '__', '*', '_', ''].map((sign) => `${sign}(recommended)${sign}`)

/** The label to show, without an ending "(Recommended)", and whether the asker recommends the option. */
export function shownOption(question: Question, option: QuestionOption): ShownOption {
  const { textFormat = 'markdown' } = question
  const likeness = likenessIn(question)
  if (likeness === 'none') return { ...withoutEnding(option), textFormat }
  const label = withLineBreaks(option.label)
  return {
    label: likeness === 'whole' ? visible(label) : label,
    isRecommended: option.recommended ?? false,
    textFormat: 'plain',
  }
}

function withoutEnding({ label: asked, recommended }: QuestionOption): Omit<ShownOption, 'textFormat'> {
  const label = withLineBreaks(asked)
  const trimmed = label.trimEnd()
  const ending = ENDINGS.find((each) => trimmed.slice(-each.length).toLowerCase() === each)
  const words = ending === undefined ? '' : trimmed.slice(0, -ending.length).trimEnd()
  return recommended === false || words.trim() === ''
    ? { label, isRecommended: recommended ?? false }
    : { label: words, isRecommended: true }
}

/** How much alike two labels of a question can look: not at all, once their signs are read, or as they are written too. */
type Likeness = 'none' | 'read' | 'whole'

const known = new WeakMap<Question, Likeness>()

function likenessIn(question: Question): Likeness {
  const found = known.get(question)
  if (found) return found
  const shown = (question.options ?? []).map(withoutEnding)
  const hasTwo = (look: (label: string) => string): boolean =>
    new Set(shown.map(({ label, isRecommended }) => `${isRecommended}${look(withoutHidden(label))}`)).size <
    shown.length
  const likeness = hasTwo(String) ? 'whole' : hasTwo(withoutAnySigns) ? 'read' : 'none'
  known.set(question, likeness)
  return likeness
}

/** A label without all that reading Markdown can take away. It may be more: then labels stay as they are written. */
const withoutAnySigns = (label: string): string =>
  label
    .split('](')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf(')') + 1)))
    .join('')
    .replace(/&#?\w+;/g, '')
    .replace(/[\s!-/:-@[-`{-~]+/g, '')
