import type { AskedQuestion } from '@sandagent/core'

/** What may begin something other than text. What counts only at the beginning of a line counts by the line. */
const MARKUP = /[*_`[\]<>&\\|\n]/g

/** Lists and quotes within each other, ten deep in one line. */
const DEEPLY_NESTED = /^(?:[ \t]*(?:[-+*>]|\d{1,9}[.)])){10}/m

const MOST_CHARS = 20_000

/**
 * The most that the parser is given, in characters times characters of markup, because its time grows with both. The
 * worst texts that a search found at the first limit took it a fifth of a second.
 */
const MOST_OF_ONE = 1_000_000
const MOST_OF_ALL = 4_000_000

/** Questions whose previews were counted. */
const totals = new WeakMap<readonly AskedQuestion[], number>()

/** Whether a preview can be rendered at once: neither it nor all previews of its form together keep the page waiting. */
export const isQuickToRender = (text: string, questions: readonly AskedQuestion[]): boolean =>
  costOf(text) <= MOST_OF_ONE && totalOf(questions) <= MOST_OF_ALL

const costOf = (text: string): number =>
  text.length > MOST_CHARS || DEEPLY_NESTED.test(text)
    ? Number.POSITIVE_INFINITY
    : text.length * (text.match(MARKUP)?.length ?? 0)

/** Of those that are rendered. */
function totalOf(questions: readonly AskedQuestion[]): number {
  const known = totals.get(questions)
  if (known !== undefined) return known
  const total = questions
    .flatMap(({ options = [] }) => options.map(({ preview = '' }) => costOf(preview)))
    .filter((cost) => cost <= MOST_OF_ONE)
    .reduce((sum, cost) => sum + cost, 0)
  totals.set(questions, total)
  return total
}
