import { printableLine, questionTitle, quotedName } from '@sandagent/core/internal'
import type { InboxQuestion } from '@sandagent/inbox'
import { answerText, saidText } from '../answer-text.ts'
import { farewell } from '../farewell.ts'
import { isTaken } from '../session/open-session.ts'
import type { OpenEntry } from './entry.ts'

/** How much of a question is shown in a line about it, in characters. */
const MOST = 200

/** Where answers go, and what they say: `blog: Blue`. */
export function givenText(
  entries: readonly OpenEntry[],
  said: string,
  nameOf: (item: InboxQuestion) => string,
): string {
  const names = [...new Set(entries.map(({ item }) => nameOf(item)))].join(', ')
  return `${names}: ${said}${entries.length > 1 ? `, ${entries.length} calls` : ''}`
}

/** What the answer says that is held. */
export function saidIn({ open }: OpenEntry): string {
  const answer = open.held.get()?.answer
  return answer ? saidText(answer, open.allowsMore()) : ''
}

export const leftOutText = ({ item }: OpenEntry): string =>
  `Left out, as it takes no answer of yours: ${titleOf(item)}`

/** What became of a question that was open here. What was entered in vain is in it. */
export function takenLines({ item, open }: OpenEntry, name: string): string[] {
  const snapshot = open.session.getSnapshot()
  if (snapshot.status === 'voted') return [`Your vote for ${name} is stored · ${titleOf(item)}`]
  if (!isTaken(open)) return [`${name} · ${titleOf(item)}`, ...farewell(open).split('\n')]
  const said = saidText(
    { ...snapshot, status: snapshot.declined ? 'declined' : 'completed' },
    open.allowsMore(),
  )
  return [`Sent to ${name}: ${said} · ${titleOf(item)}`]
}

/** That an answer was not taken, and why. */
export function refusedText({ item, open }: OpenEntry, name: string): string {
  const { message = '' } = open.replaced() ?? open.session.getSnapshot().error ?? {}
  return `Not sent to ${name}: ${printableLine(message)} · it waits on · ${titleOf(item)}`
}

/** What became of a question that was not open here, in a line. */
export function endingText({ question }: InboxQuestion, name: string): string {
  const { state, declined, asksBack, answeredBy, questions, responses, grant } = question
  if (grant) return `${name} · allowed before: ${printableLine(grant.covers)} · ${titleOf({ question })}`
  const [first] = questions
  const isAnswered = state === 'sent' || state === 'answered'
  const said = isAnswered && !declined && first ? answerText(first, responses) : null
  const how = asksBack ? 'asked back' : declined ? 'declined' : isAnswered && 'answered'
  const what = how ? `${how} elsewhere` : 'waits no longer'
  const by = answeredBy === undefined ? '' : ` by ${printableLine(answeredBy)}`
  return `${name} · ${what}${by}${said === null ? '' : `: ${said}`} · ${titleOf({ question })}`
}

/** What is asked, in a line. */
export function titleOf({ question }: Pick<InboxQuestion, 'question'>): string {
  const { subject, questions } = question
  const [first] = questions
  const text = subject
    ? `${quotedName(subject.toolName)} ${JSON.stringify(subject.input)}`
    : first && questionTitle(first)
  return printableLine(text ?? '', MOST)
}
