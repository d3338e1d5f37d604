import {
  allowsFreeText,
  isRequired,
  optionValue,
  type QuestionOption,
  questionTitle,
  shownQuestion,
} from '@sandagent/core/internal'
import { type ReactElement, type SyntheticEvent, useState } from 'react'
import type { QuestionPartProps } from '../../state/ask-form.ts'
import { entryOf, isSingleChoice } from '../../state/entries.ts'
import { onDemand } from '../../state/on-demand.tsx'
import { Clamp } from '../clamp.tsx'
import { Files } from './files/on-demand-files.tsx'

/** Loaded with the first question for a secret. */
const SecretField = onDemand<QuestionPartProps>(() =>
  import('./secret-field.tsx').then(({ SecretField }) => SecretField),
)

/** With more options than this, a search field is shown. */
const FILTER_FROM = 10

const matches = ({ label, description = '' }: QuestionOption, filter: string): boolean =>
  `${label} ${description}`.toLocaleLowerCase().includes(filter.trim().toLocaleLowerCase())

/** One question: its options, a field for an own answer, and a note. */
export function Question({ form, question }: QuestionPartProps): ReactElement {
  const { ask, labels, components } = form
  const { Filter, Option, OwnAnswer, Note, Text, Button } = components
  const { id, header, options = [], multiSelect } = question
  const [filter, setFilter] = useState('')
  const [looked, setLooked] = useState<number>()
  const position = ask.questions.indexOf(question)
  const entry = entryOf(ask, question)
  const isMissing = ask.missing.includes(id)
  const hasOptions = options.length > 0
  const found = options.filter((option) => matches(option, filter))
  // Picked options stay in sight.
  const shown = options.filter(
    (option) => found.includes(option) || entry.selected.includes(optionValue(option)),
  )
  const hasPreviews = options.length <= FILTER_FROM && options.some(({ preview }) => preview)
  // Where one preview is shown: that of the option last looked at, or picked, or else the first.
  const current =
    looked ??
    Math.max(
      0,
      shown.findIndex((option) =>
        entry.selected.length > 0 ? entry.selected.includes(optionValue(option)) : option.preview,
      ),
    )
  const lookAt = ({ target, currentTarget }: SyntheticEvent): void => {
    const at = [...currentTarget.children].findIndex((option) => option.contains(target as Node))
    if (at >= 0) setLooked(at)
  }
  const pickOne = form.sendsOnPick(question) && !entry.isAnswered ? labels.pickOneToSend : labels.pickOne
  const hint = [
    hasOptions && (multiSelect ? labels.pickAny : pickOne),
    !isRequired(question) && labels.optional,
    entry.isSkipped && labels.skipped,
  ].filter(Boolean)
  const tag = form.isStepwise ? undefined : header
  const hasHint = hint.length > 0 || isMissing || Boolean(tag)
  // A question without options is the label of its text field.
  const [Group, Legend] = hasOptions ? (['fieldset', 'legend'] as const) : (['div', 'label'] as const)
  const { heading, body } = shownQuestion(question)
  const hasBody = body.trim() !== ''
  const elementId = `${form.id}${position}`

  return (
    <Group
      className="sa-question"
      data-position={position}
      data-missing={isMissing || undefined}
      aria-describedby={hasOptions ? `${elementId}body ${elementId}hint` : undefined}
      {...(isSingleChoice(question) && {
        role: 'radiogroup',
        'aria-required': isRequired(question),
        'aria-invalid': isMissing || undefined,
      })}
    >
      <Legend
        id={`${elementId}legend`}
        className={heading === '' ? 'sa-hidden' : 'sa-legend'}
        dir="auto"
        {...(!hasOptions && { htmlFor: `${elementId}own` })}
      >
        {heading === '' ? (
          questionTitle(question)
        ) : (
          <Text form={form} question={question} text={heading} kind="line" />
        )}
      </Legend>
      {hasBody && (
        <Clamp form={form} id={`${elementId}body`}>
          <Text form={form} question={question} text={body} kind="block" />
        </Clamp>
      )}
      <p className="sa-hint" id={`${elementId}hint`} hidden={!hasHint}>
        {tag && <bdi className="sa-tag">{tag}</bdi>}
        {hint.join(' · ')}
        {isMissing && !entry.isAnswered && <strong className="sa-missing">{labels.missing}</strong>}
      </p>
      {options.length > FILTER_FROM && (
        <Filter form={form} value={filter} onChange={setFilter} found={found.length} total={options.length} />
      )}
      {hasOptions && (
        <div
          className="sa-options"
          {...(hasPreviews && { 'data-previews': '', onFocus: lookAt, onPointerOver: lookAt })}
        >
          {shown.map((option, index) => (
            <Option
              key={optionValue(option)}
              form={form}
              question={question}
              option={option}
              position={index}
              isCurrent={index === current}
            />
          ))}
        </div>
      )}
      {question.secret ? (
        <SecretField form={form} question={question} />
      ) : (
        (allowsFreeText(question) || !(hasOptions || question.files)) && (
          <OwnAnswer form={form} question={question} />
        )
      )}
      {question.files && <Files form={form} question={question} />}
      <div className="sa-more">
        <Note form={form} question={question} />
        {ask.questions.length > 1 && isRequired(question) && !entry.isSkipped && (
          <Button
            look="quiet"
            aria-describedby={form.isStepwise ? undefined : `${elementId}legend`}
            onClick={() => form.skip(question)}
          >
            {labels.skip}
          </Button>
        )}
      </div>
    </Group>
  )
}
