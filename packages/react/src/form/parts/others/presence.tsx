import { type OtherPerson, visible } from '@sandagent/core/internal'
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { UseAskUserQuestionReturn } from '../../../use-ask-user-question.ts'
import type { AskLabels } from '../../labels/ask-labels.ts'

interface PresenceProps {
  ask: Pick<UseAskUserQuestionReturn, 'others'>
  labels: AskLabels
  /** What a person has voted. */
  voteOf?: (person: OtherPerson) => string
}

/** Says to screen readers who answers too: once for each person, not at each key. */
export const PresenceNews = (props: PresenceProps): ReactElement => (
  <span className="sa-hidden" aria-live="polite">
    <Arrivals {...props} />
  </span>
)

/** Who has begun to answer since the last announcement. */
export const Arrivals = ({ ask, labels }: PresenceProps): string =>
  useArrivals(ask.others)
    .map((person) => labels.isAnswering(nameOf(person, labels)))
    .join('. ')

/** The people who have begun to answer since the last announcement. Each person is announced once. */
function useArrivals(others: readonly OtherPerson[]): readonly OtherPerson[] {
  const known = useRef(new Set<string>())
  const [arrivals, setArrivals] = useState<readonly OtherPerson[]>([])
  useEffect(() => {
    const fresh = others.filter(({ id, isTyping }) => isTyping && !known.current.has(id))
    if (fresh.length === 0) return
    for (const { id } of fresh) known.current.add(id)
    setArrivals(fresh)
  }, [others])
  return arrivals
}

/** Who else has a question open, in one line. */
export const PresenceLine = ({ ask, labels, voteOf }: PresenceProps): ReactElement => (
  <p className="sa-quiet sa-presence" hidden={ask.others.length === 0}>
    {ask.others.map((person) => (
      <bdi key={person.id}>
        {presenceText(person, labels)}
        {person.hasVoted && voteOf && `: ${voteOf(person)}`}
      </bdi>
    ))}
  </p>
)

export const nameOf = ({ name }: OtherPerson, { somebody }: AskLabels): string =>
  name === undefined ? somebody : visible(name)

export function presenceText(person: OtherPerson, labels: AskLabels): string {
  const name = nameOf(person, labels)
  if (person.hasVoted) return labels.hasVoted(name)
  if (person.isTyping) return labels.isAnswering(name)
  return person.isHere ? labels.hasOpen(name) : labels.hasEntered(name)
}
