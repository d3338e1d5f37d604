// Why it is so: docs/decisions/0030-a-deliberate-act-sends.md

import { optionTitle, optionValue, shownOption } from '@sandagent/core/internal'
import { type MouseEvent, type ReactElement, useId, useRef } from 'react'
import type { OptionPartProps } from '../../state/ask-form.ts'
import { entryOf } from '../../state/entries.ts'

/** One option, with its description and its preview. */
export function Option({ form, question, option, position, isCurrent }: OptionPartProps): ReactElement {
  const { description, preview } = option
  const { label, isRecommended, textFormat } = shownOption(question, option)
  const { Preview, Text } = form.components
  const { ask } = form
  const { multiSelect } = question
  const value = optionValue(option)
  const checked = entryOf(ask, question).selected.includes(value)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const describedBy = [isRecommended && `${id}recommended`, description && `${id}description`].filter(Boolean)

  // The label picks by itself. What is beside it, such as the description, picks like the label.
  const onClick = ({ target }: MouseEvent): void => {
    const element = target as Element
    if (!element.closest('label, a, button, summary')) input.current?.click()
  }

  return (
    // biome-ignore lint/a11y: the native input in it takes the keys
    <div
      className="sa-option"
      data-checked={checked || undefined}
      data-current={isCurrent || undefined}
      onClick={onClick}
    >
      <label className="sa-choice">
        <input
          ref={input}
          type={multiSelect ? 'checkbox' : 'radio'}
          name={form.id + question.id}
          value={value}
          checked={checked}
          disabled={!ask.isEditable}
          // A radio is never invalid, its group is.
          aria-invalid={(multiSelect && ask.stateOf(question.id) === 'invalid') || undefined}
          onChange={() => form.pick(question, value)}
          // A click on the checked radio fires no change event, but it picks the option too.
          onClick={() => checked && !multiSelect && form.pick(question, value)}
          aria-labelledby={`${id}label`}
          aria-describedby={describedBy.join(' ') || undefined}
        />
        <span className="sa-name">
          <span className="sa-label" id={`${id}label`} dir="auto">
            <Text form={form} question={{ ...question, textFormat }} text={label} kind="label" />
          </span>
          {isRecommended && (
            <span className="sa-tag" id={`${id}recommended`}>
              {form.labels.recommended}
            </span>
          )}
        </span>
        {position < 9 && (
          <span className="sa-number" aria-hidden="true">
            {position + 1}
          </span>
        )}
      </label>
      {/* Beside the label, which may hold neither lists nor links. */}
      {description && (
        <div className="sa-description">
          <div className="sa-text" id={`${id}description`} dir="auto">
            <Text form={form} question={question} text={description} kind="block" />
          </div>
        </div>
      )}
      {preview && (
        <Preview form={form} question={question} label={optionTitle(question, option)} text={preview} />
      )}
    </div>
  )
}
