import { optionValue, type QuestionOption } from '@sandagent/core/internal'
import { type ReactElement, useId } from 'react'
import type { QuestionPartProps } from '../../state/ask-form.ts'
import { entryOf } from '../../state/entries.ts'

type OptionProps = QuestionPartProps & { option: QuestionOption; position: number }

/** One option, with its description and its preview. */
export function Option({ form, question, option, position }: OptionProps): ReactElement {
  const { label, description, preview } = option
  const { Preview } = form.components
  const value = optionValue(option)
  const id = useId()
  const { multiSelect = false } = question
  const isChecked = entryOf(form.ask, question).selected.includes(value)

  return (
    <div className="sa-option" data-checked={isChecked || undefined}>
      <label className="sa-choice">
        <input
          type={multiSelect ? 'checkbox' : 'radio'}
          name={`${form.id}${question.id}`}
          value={value}
          checked={isChecked}
          onChange={() => form.pick(question, value)}
          // A click on the checked radio fires no change event, but it picks the option too.
          onClick={() => isChecked && !multiSelect && form.pick(question, value)}
          aria-labelledby={`${id}label`}
          {...(description && { 'aria-describedby': `${id}description` })}
          {...(multiSelect && { 'aria-invalid': form.ask.missing.includes(question.id) || undefined })}
        />
        <span className="sa-label" id={`${id}label`} dir="auto">
          {label}
        </span>
        {position < 9 && (
          <span className="sa-number" aria-hidden="true">
            {position + 1}
          </span>
        )}
        {description && (
          <span className="sa-description" id={`${id}description`} dir="auto">
            {description}
          </span>
        )}
      </label>
      {preview && <Preview form={form} label={label} text={preview} />}
    </div>
  )
}
