import { shownOption } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { QuestionPartProps } from '../../state/ask-form.ts'
import { entryOf, ownWordsOf, pickedIn } from '../../state/entries.ts'
import { onDemand } from '../../state/on-demand.tsx'
import type { TypedWordsProps } from '../../typed/typed-words.tsx'
import { Files } from '../question/files/on-demand-files.tsx'

const Quotation = ({ words }: Pick<TypedWordsProps, 'words'>): ReactElement => <q dir="auto">{words}</q>

const TypedWords = onDemand<TypedWordsProps>(
  () => import('../../typed/typed-words.tsx').then(({ TypedWords }) => TypedWords),
  Quotation,
)

/** The answer to a question: the options, the typed text as a quotation, and the note. */
export function Answer({ form, question }: QuestionPartProps): ReactElement {
  const { ask, labels, components } = form
  const entry = entryOf(ask, question)
  const { notes, isAnswered, isSkipped, isDefault } = entry
  const words = ownWordsOf(question, entry)
  const Words = question.typed ? TypedWords : Quotation
  return (
    <>
      {!isAnswered && <span className="sa-quiet">{isSkipped ? labels.skipped : labels.noAnswer}</span>}
      {pickedIn(question, entry).map((option) => {
        const { label, textFormat } = shownOption(question, option)
        return (
          <bdi key={option.label} className="sa-picked">
            <components.Text form={form} question={{ ...question, textFormat }} text={label} kind="label" />
          </bdi>
        )
      })}
      {question.secret
        ? isAnswered && labels.given
        : words.trim() !== '' && <Words question={question} words={words} />}
      {question.files && <Files form={form} question={question} isGiven />}
      {isDefault && <span className="sa-quiet">{labels.byDefault}</span>}
      {notes.trim() !== '' && (
        <span className="sa-quiet sa-noted">
          {labels.note}: <bdi>{notes}</bdi>
        </span>
      )}
    </>
  )
}
