import { questionTitle, withLineBreaks } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { QuestionPartProps } from '../../state/ask-form.ts'
import { entryOf } from '../../state/entries.ts'
import { onDemand } from '../../state/on-demand.tsx'
import { TextArea } from '../text-area.tsx'

/** Loaded where an answer is to be a number, a date or an address. Until then, it is typed as text. */
const TypedField = onDemand<QuestionPartProps>(
  () => import('../../typed/typed-field.tsx').then(({ TypedField }) => TypedField),
  (props) => <TextAnswer {...props} />,
)

/** The field for a typed answer, alone or beside options. */
export const OwnAnswer = (props: QuestionPartProps): ReactElement | null =>
  props.question.typed ? <TypedField {...props} /> : <TextAnswer {...props} />

function TextAnswer({ form, question }: QuestionPartProps): ReactElement {
  const { ask, labels } = form
  const { options = [], multiSelect, placeholder } = question
  const { freeText, selected } = entryOf(ask, question)
  const hasOptions = options.length > 0
  const isKept = !multiSelect && selected.length > 0 && freeText.trim() !== ''
  const place = `${form.id}${ask.questions.indexOf(question)}`
  const id = `${place}own`
  return (
    <div className="sa-own" data-checked={(freeText.trim() !== '' && !isKept) || undefined}>
      <TextArea
        id={id}
        disabled={!ask.isEditable}
        aria-invalid={ask.stateOf(question.id) === 'invalid' || undefined}
        aria-label={hasOptions ? labels.about(labels.ownAnswer, questionTitle(question)) : undefined}
        aria-describedby={isKept ? `${id}kept` : hasOptions ? undefined : `${place}body ${place}hint`}
        placeholder={withLineBreaks(placeholder ?? '') || (hasOptions ? labels.ownAnswer : labels.answer)}
        value={freeText}
        onChange={({ target }) => ask.setFreeText(question.id, target.value)}
      />
      {isKept && (
        <p className="sa-hint" id={`${id}kept`}>
          {labels.keptText}
        </p>
      )}
    </div>
  )
}
