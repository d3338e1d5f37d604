import { withLineBreaks } from '../lib/text/line-breaks.ts'
import type { AskedQuestion } from './question.ts'

/** Characters that may begin markup. Markup that only works at the beginning of a line counts as a line. */
const MARKUP = /[*_`[\]<>&\\|\n]/g

/** Lists and quotes, nested ten deep in one line. */
const DEEPLY_NESTED = /^(?:[ \t]*(?:[-+*>]|\d{1,9}[.)])){10}/m

/** Images are not parsed. */
const IMAGE = /\]\(data:image\/[^\s()<>]*/g

const MOST_CHARS = 20_000

/**
 * The limits of what is parsed, in characters times characters of markup: the time grows with both. At the first limit,
 * the worst texts that a search found took a fifth of a second.
 */
const MOST_OF_ONE = 1_000_000
const MOST_OF_ALL = 4_000_000

/** The cost of all texts of a form, by its questions. */
const totals = new WeakMap<readonly AskedQuestion[], number>()

/** Whether a text can be rendered without freezing what shows it, alone and together with all texts of its form. */
export const isQuickToRender = (text: string, questions: readonly AskedQuestion[]): boolean =>
  costOf(text) <= MOST_OF_ONE && totalOf(questions) <= MOST_OF_ALL

/** A text without the `data:` addresses of its images. They are long, and a parser takes long to read them. */
export const withoutImages = (text: string): string => text.replace(IMAGE, '](')

function costOf(text: string): number {
  const parsed = withoutImages(withLineBreaks(text))
  return parsed.length > MOST_CHARS || DEEPLY_NESTED.test(parsed)
    ? Number.POSITIVE_INFINITY
    : parsed.length * (parsed.match(MARKUP)?.length ?? 0)
}

/** The cost of the texts that are rendered. */
function totalOf(questions: readonly AskedQuestion[]): number {
  const known = totals.get(questions)
  if (known !== undefined) return known
  const total = questions
    .flatMap(textsOf)
    .map(costOf)
    .filter((cost) => cost <= MOST_OF_ONE)
    .reduce((sum, cost) => sum + cost, 0)
  totals.set(questions, total)
  return total
}

const textsOf = ({ question, textFormat, options = [] }: AskedQuestion): string[] => [
  ...(textFormat === 'plain' ? [] : [question]),
  ...options.flatMap(({ label, description = '', preview = '' }) =>
    textFormat === 'plain' ? [preview] : [label, description, preview],
  ),
]
