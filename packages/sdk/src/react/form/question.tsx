import { allowsFreeText, isRequired, optionValue } from '@sandagent/core'
import { type ReactElement, useState } from 'react'
import type { QuestionPartProps } from './ask-form.ts'
import { entryOf, isSingleChoice } from './entries.ts'
import { FilterField, matchesFilter } from './filter.tsx'

/** From this many options on, a field helps to find one. */
const FILTER_FROM = 10

/** One question: its choices, a field for words of one's own, and a note. */
export function Question({ form, question }: QuestionPartProps): ReactElement {
  const { ask, labels, components } = form
  const { Option, OwnAnswer, Note, Button } = components
  const { id, header, options = [], multiSelect } = question
  const [filter, setFilter] = useState('')
  const position = ask.questions.indexOf(question)
  const entry = entryOf(ask, question)
  const isMissing = ask.missing.includes(id)
  const hasOptions = options.length > 0
  const shown = options.filter((option) => matchesFilter(option, filter, entry))
  const hint = [
    hasOptions && (multiSelect ? labels.pickAny : labels.pickOne),
    !isRequired(question) && labels.optional,
    entry.isSkipped && labels.skipped,
  ].filter(Boolean)
  const tag = form.isStepwise ? undefined : header
  const hasHint = hint.length > 0 || isMissing || Boolean(tag)
  // A question without options is the label of its text field.
  const [Group, Legend] = hasOptions ? (['fieldset', 'legend'] as const) : (['div', 'label'] as const)
  const elementId = `${form.id}${position}`

  return (
    <Group
      className="sa-question"
      data-position={position}
      data-missing={isMissing || undefined}
      {...(hasOptions && { 'aria-describedby': `${elementId}hint` })}
      {...(isSingleChoice(question) && {
        role: 'radiogroup',
        'aria-required': isRequired(question),
        'aria-invalid': isMissing || undefined,
      })}
    >
      <Legend className="sa-legend" dir="auto" {...(!hasOptions && { htmlFor: `${elementId}own` })}>
        {question.question}
      </Legend>
      <p className="sa-hint" id={`${elementId}hint`} hidden={!hasHint}>
        {tag && <bdi className="sa-tag">{tag}</bdi>}
        {hint.join(' · ')}
        {isMissing && <strong className="sa-missing">{labels.missing}</strong>}
      </p>
      {options.length > FILTER_FROM && (
        <FilterField
          labels={labels}
          value={filter}
          onChange={setFilter}
          shown={shown.length}
          total={options.length}
        />
      )}
      {hasOptions && (
        <div className="sa-options">
          {shown.map((option, index) => (
            <Option
              key={optionValue(option)}
              form={form}
              question={question}
              option={option}
              position={index}
            />
          ))}
        </div>
      )}
      {(allowsFreeText(question) || !hasOptions) && <OwnAnswer form={form} question={question} />}
      <Note form={form} question={question} />
      {!form.isStepwise && ask.questions.length > 1 && isRequired(question) && !entry.isSkipped && (
        <Button look="quiet" className="sa-skip" onClick={() => form.skip(question)}>
          {labels.skip}
        </Button>
      )}
    </Group>
  )
}
