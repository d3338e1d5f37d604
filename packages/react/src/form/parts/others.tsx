import { type OtherPerson, visible } from '@sandagent/core/internal'
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { UseAskUserQuestionReturn } from '../../use-ask-user-question.ts'
import type { AskLabels } from '../labels/ask-labels.ts'
import type { FormPartProps } from '../state/ask-form.ts'
import { entryOf } from '../state/entries.ts'
import { AnswerList } from './answers/answer-list.tsx'

/**
 * Other people who have the question open, and what they have entered. Below everything else: it comes and goes, and must
 * not move what a person is about to click.
 */
export function Others({ form }: FormPartProps): ReactElement {
  const { ask, labels, components } = form
  return (
    <div className="sa-others">
      <PresenceNews ask={ask} labels={labels} />
      {ask.others.map((person) => {
        const { id, responses } = person
        const theirs = { ...form, ask: { ...ask, responses } }
        const entered = ask.questions.filter((question) => Object.hasOwn(responses, question.id))
        const isSame = entered.every(
          (question) =>
            JSON.stringify(entryOf(theirs.ask, question)) === JSON.stringify(entryOf(ask, question)),
        )
        const text = presenceText(person, labels)
        return (
          <section key={id} className="sa-other" aria-label={text}>
            <p className="sa-quiet sa-presence" data-typing={person.isTyping || undefined}>
              <bdi>{text}</bdi>
            </p>
            {entered.length > 0 && <AnswerList form={theirs} questions={entered} />}
            {!isSame && (
              <components.Button
                disabled={!ask.isEditable}
                aria-label={labels.about(labels.takeOver, nameOf(person, labels))}
                onClick={() => {
                  ask.takeOver(id)
                  // This button goes. The question shows what was taken over.
                  form.goTo(form.step)
                }}
              >
                {labels.takeOver}
              </components.Button>
            )}
          </section>
        )
      })}
    </div>
  )
}

interface PresenceProps {
  ask: Pick<UseAskUserQuestionReturn, 'others'>
  labels: AskLabels
  /** What a person has voted. */
  voteOf?: (person: OtherPerson) => string
}

/** Says to screen readers who answers too: once for each person, not at each key. */
export const PresenceNews = ({ ask, labels }: PresenceProps): ReactElement => {
  const arrivals = useArrivals(ask.others)
  return (
    <span className="sa-hidden" aria-live="polite">
      {arrivals.map((person) => labels.isAnswering(nameOf(person, labels))).join('. ')}
    </span>
  )
}

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

const nameOf = ({ name }: OtherPerson, { somebody }: AskLabels): string =>
  name === undefined ? somebody : visible(name)

function presenceText(person: OtherPerson, labels: AskLabels): string {
  const name = nameOf(person, labels)
  if (person.hasVoted) return labels.hasVoted(name)
  if (person.isTyping) return labels.isAnswering(name)
  return person.isHere ? labels.hasOpen(name) : labels.hasEntered(name)
}
