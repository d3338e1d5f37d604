import type { ReactElement } from 'react'
import type { QuestionPartProps } from '../../state/ask-form.ts'
import { entryOf, labelsOf, ownWordsOf } from '../../state/entries.ts'

/** The answer to a question: the options, the typed text as a quotation, and the note. */
export function Answer({ form, question }: QuestionPartProps): ReactElement {
  const { ask, labels } = form
  const entry = entryOf(ask, question)
  const { notes, isAnswered, isSkipped, isDefault } = entry
  const words = ownWordsOf(question, entry)
  return (
    <>
      {!isAnswered && <span className="sa-quiet">{isSkipped ? labels.skipped : labels.noAnswer}</span>}
      {labelsOf(question, entry).map((label) => (
        <bdi key={label} className="sa-picked">
          {label}
        </bdi>
      ))}
      {words.trim() !== '' && <q dir="auto">{words}</q>}
      {isDefault && <span className="sa-quiet">{labels.byDefault}</span>}
      {notes.trim() !== '' && (
        <span className="sa-quiet sa-noted">
          {labels.note}: <bdi>{notes}</bdi>
        </span>
      )}
    </>
  )
}
