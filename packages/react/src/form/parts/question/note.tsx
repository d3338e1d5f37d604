import { questionTitle } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { QuestionPartProps } from '../../state/ask-form.ts'
import { entryOf } from '../../state/entries.ts'
import { TextArea } from '../text-area.tsx'

/** An optional note beside the answer. */
export function Note({ form, question }: QuestionPartProps): ReactElement {
  const { ask, labels, components, openNotes } = form
  const { notes } = entryOf(ask, question)
  const place = `${form.id}${ask.questions.indexOf(question)}`
  if (notes === '' && !openNotes.has(question.id))
    return (
      <components.Button
        look="quiet"
        // Where several questions are in sight, each has this button.
        aria-describedby={form.isStepwise || !ask.questions[1] ? undefined : `${place}legend`}
        onClick={() => form.openNote(question)}
      >
        {labels.addNote}
      </components.Button>
    )
  const id = `${place}note`
  return (
    <div className="sa-note">
      <label htmlFor={id}>{labels.note}</label>
      <TextArea
        id={id}
        aria-label={labels.about(labels.note, questionTitle(question))}
        value={notes}
        onChange={({ target }) => ask.setNotes(question.id, target.value)}
      />
    </div>
  )
}
