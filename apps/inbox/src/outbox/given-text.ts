import { type AskError, isQuestionView, visible } from '@sandagent/core/internal'
import type { PageAnswer } from '@sandagent/react'
import type { WaitingEntry } from '../data/inbox-state.ts'
import { answerIn } from '../history/ending.ts'
import { detailOf, titleOf } from '../list/title.ts'

/** An answer, and the question that it is for. */
export interface Given {
  entry: WaitingEntry
  answer: PageAnswer
}

/** Where answers go, what they say, and to what: `blog: Deny · git push`. */
export function givenText(given: readonly Given[]): string {
  const [first] = given
  if (!first) return ''
  const { question } = first.entry
  const places = new Set(given.map(({ entry }) => visible(entry.sandboxName)))
  const about =
    given.length === 1
      ? short(question.kind === 'approval' ? detailOf(question) : titleOf(question))
      : `${given.length} calls of ${visible(question.subject?.toolName ?? 'a tool')}`
  return `${[...places].join(', ')}: ${short(saidIn(first))} · ${about}`
}

/** More of a part is not shown: the other parts of the line would be out of sight. In characters. */
const MOST_SHOWN = 100

const short = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)

export type Failed = readonly { given: Given; error?: AskError }[]

/** Which answers were refused, and why. */
export const wentWrongText = (lost: Failed): string => `Not sent to ${whichAndWhy(lost)}`

/** Which answers are sent again, and why. */
export const notSentYetText = (again: Failed): string =>
  `Not sent yet to ${whichAndWhy(again)} · The page tries again`

function whichAndWhy(failed: Failed): string {
  const reasons = new Set(failed.map(({ error }) => (error ? reasonOf(error) : '')))
  return `${givenText(failed.map(({ given }) => given))} · ${[...reasons].join(' ')}`
}

function reasonOf({ code, message, facts: { question } }: AskError): string {
  const isOwn = code === 'CONFLICT' && isQuestionView(question) && question.byOther === false
  return isOwn ? 'You have given another answer meanwhile.' : (REASONS[code] ?? message)
}

const REASONS: Readonly<Record<string, string>> = {
  CHANGED: 'The question has changed meanwhile.',
  CONFLICT: 'Somebody else has answered meanwhile.',
  GONE: 'Its time is over.',
  UNAUTHENTICATED: 'You are signed out. Open a new link of sandagent serve.',
}

function saidIn({ entry: { question }, answer }: Given): string {
  const { status, asksBack, scope } = answer
  if (status === 'declined' && !asksBack) return 'Declined'
  // In this line, backticks would be backticks.
  const covers = question.scopes?.find(({ id }) => id === scope)?.covers.replaceAll('`', '')
  const said = covers === undefined ? answerIn(question, answer) : visible(covers)
  return asksBack ? `You asked: ${said}` : said
}
