import type { QuestionOption } from '@sandagent/sdk/react'
import { type ReactElement, useId } from 'react'
import { RichText } from '../chat/rich-text.tsx'

interface OptionProps {
  option: QuestionOption
  /** Shared by the options of one question. */
  name: string
  type: 'radio' | 'checkbox'
  isChecked: boolean
  onPick: (value: string) => void
}

/** One choice, with what it means and what it looks like. */
export function Option({ option, name, type, isChecked, onPick }: OptionProps): ReactElement {
  const { label, value = label, description, preview } = option
  const id = useId()
  return (
    <div className="option">
      <label>
        <input
          type={type}
          name={name}
          value={value}
          checked={isChecked}
          onChange={() => onPick(value)}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-description`}
        />
        <span className="option-label" id={`${id}-label`}>
          {label}
        </span>
        <span className="option-description" id={`${id}-description`}>
          {description}
        </span>
      </label>
      {preview && <RichText text={preview} />}
    </div>
  )
}
