import { questionOfToken, shortToken } from '../lib/token.ts'
import type { OnViolation } from '../violation.ts'
import type { Case, PlannedAct, SeenOutcome } from './case.ts'

/** The kinds of outcomes in which an answer of a person arrived. */
const ARRIVED = ['answered', 'declined']

/** What a page shows for each kind of outcome, to the person whose answer it is. */
const SHOWN_AS: Record<string, string> = {
  answered: 'received',
  declined: 'declined',
  'timed-out': 'expired',
}

/** Checks a question that is over: what its people were told against what its agent got. */
export function checkCase({ ask, acts, outcomes }: Case, onViolation: OnViolation): void {
  const [outcome] = outcomes
  if (!outcome) return
  const { toolCallId } = ask
  const say = (kind: Parameters<OnViolation>[0], what: string): void =>
    onViolation(kind, `${toolCallId}: ${what}. The agent got ${shownOutcome(outcome)}`)

  for (const other of outcomes)
    if (other.kind !== outcome.kind || other.answer !== outcome.answer)
      say('duplicated', `asked again, it ended with ${shownOutcome(other)}`)

  const { answer } = outcome
  const hasArrived = ARRIVED.includes(outcome.kind)
  if (hasArrived && answer === null) say('torn', 'the answer is empty')
  if (!hasArrived && ask.timeoutMs === 'never') say('misreported', 'it has no deadline')
  if (answer !== null && questionOfToken(answer) === null) say('torn', 'the answer is cut')
  else if (answer !== null && questionOfToken(answer) !== toolCallId)
    say('misreported', 'this is the answer to another question')
  else if (answer !== null && !acts.some(({ act }) => act.token === answer))
    say('misreported', 'nobody gave this answer since the question was asked')

  const acknowledged = acts.filter(({ ending }) => ending?.kind === 'acknowledged').filter(isAnswer)
  const lastClick = acknowledged.filter(isClick).at(-1)
  const confirmed = acknowledged.filter((act) => !isClick(act) || act === lastClick)
  const tokens = new Set(confirmed.map(({ act }) => act.token))
  if (tokens.size > 1) say('duplicated', `${tokens.size} different answers were acknowledged`)
  for (const token of tokens)
    if (answer !== token) say('lost', `the answer ${shortToken(token)} was acknowledged`)
  // Somebody else may have been shown an earlier click of the same person.
  const clicks = acts.filter(isClick).map(({ act }) => act.token)
  const alike = answer !== null && clicks.includes(answer) ? clicks : [answer]
  for (const act of acts.filter(isAnswer)) checkPerson(act, outcome, alike, say)
}

const isClick = ({ act }: PlannedAct): boolean => act.manner === 'click'

/** Nonsense that a foreign program writes is no answer. */
export const isAnswer = ({ act: { manner } }: PlannedAct): boolean =>
  ['send', 'decline', 'draft', 'click', 'older format, in pieces'].includes(manner)

/** Checks one person. */
function checkPerson(
  { act, by, ending, shown }: PlannedAct,
  outcome: SeenOutcome,
  alike: readonly (string | null)[],
  say: OnViolation,
): void {
  const hasArrived = ARRIVED.includes(outcome.kind)
  const isOwn = outcome.answer === act.token
  const person = `${by} sent ${shortToken(act.token)} and was told`
  if (ending?.kind === 'superseded' && (isOwn || !hasArrived))
    say('misreported', `${person} that another answer came first`)
  else if (ending?.kind === 'superseded' && !alike.includes(ending.shown))
    say('misreported', `${person} that this answer came first: ${shortToken(ending.shown ?? 'none')}`)
  if (ending?.kind === 'over' && isOwn) say('misreported', `${person} that the question is over`)
  if (ending?.kind === 'over' && ending.shown !== null && ending.shown !== outcome.kind)
    say('misreported', `${person} that it ended as ${ending.shown}`)
  if (ending?.kind === 'unknown') say('misreported', `${person} that there is no such question`)
  if (shown === undefined) return
  const expected = isOwn || !hasArrived ? SHOWN_AS[outcome.kind] : 'superseded'
  if (shown !== expected) say('misreported', `${person} that its state is "${shown}", not "${expected}"`)
}

const shownOutcome = ({ kind, answer }: SeenOutcome): string =>
  answer === null ? `"${kind}"` : `"${kind}" with ${shortToken(answer)}`
