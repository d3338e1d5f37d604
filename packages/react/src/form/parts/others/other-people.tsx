import type { ReactNode } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { entryOf } from '../../state/entries.ts'
import { AnswerList } from '../answers/answer-list.tsx'
import { Arrivals, nameOf, presenceText } from './presence.tsx'

/** Says who has begun to answer. */
export const ArrivalNews = ({ form }: FormPartProps): ReactNode => <Arrivals {...form} />

/** Each person who has the question open, with what they have entered. */
export const OtherPeople = ({ form }: FormPartProps): ReactNode => {
  const { ask, labels, components } = form
  return ask.others.map((person) => {
    const { id, responses } = person
    const theirs = { ...form, ask: { ...ask, responses } }
    const entered = ask.questions.filter((question) => Object.hasOwn(responses, question.id))
    const isSame = entered.every(
      (question) => JSON.stringify(entryOf(theirs.ask, question)) === JSON.stringify(entryOf(ask, question)),
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
  })
}
