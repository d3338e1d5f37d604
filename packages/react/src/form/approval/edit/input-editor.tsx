import { inputChanges, isObject } from '@sandagent/core/internal'
import { type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { englishTypedLabels } from '../../labels/typed-labels.ts'
import type { ApprovalForm } from '../approval-form.ts'
import { EditField } from './edit-field.tsx'
import { englishEditLabels } from './edit-labels.ts'
import { InputChanges } from './input-changes.tsx'
import { fieldsOf, type InputField, inputIn } from './input-fields.ts'

export interface InputEditorProps {
  form: ApprovalForm
  /** What is edited: the input of the agent, or an edit of it. */
  input: unknown
  /** Allows the call with this input. */
  onAllow(input: unknown): void
  /** The input of the agent stands again. */
  onCancel(): void
}

/** Edits the input of a call, and shows how it differs from what the agent asked. */
export function InputEditor({ form, input, onAllow, onCancel }: InputEditorProps): ReactElement {
  const { ask, components, subject, question } = form
  const labels = { ...englishEditLabels, ...englishTypedLabels, ...form.labels }
  const [fields, setFields] = useState<readonly InputField[]>(() => fieldsOf(input, subject.schema))
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const read = inputIn(fields, labels)
  const isFitting = 'input' in read && (!isObject(subject.input) || isObject(read.input))
  const changes = isFitting ? inputChanges(subject.input, read.input) : []

  const isWhole = fields[0]?.name === null

  // The button that led here is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are others then
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('textarea, input, select')?.focus()
  }, [isWhole])

  const change = (next: readonly InputField[]): void => {
    setFields(next)
    const edited = inputIn(next, labels)
    if ('input' in edited)
      ask.setInput(
        question.id,
        inputChanges(subject.input, edited.input).length > 0 ? edited.input : undefined,
      )
  }

  return (
    // No landmark: a page may show several approvals.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be more than a name
    <div role="group" className="sa-edit sa-call" ref={root} aria-labelledby={`${id}title`}>
      <p className="sa-legend" id={`${id}title`}>
        {labels.editing}
      </p>
      {fields.map((field, index) => (
        <EditField
          key={field.name ?? ''}
          id={`${id}${index}`}
          field={field}
          fault={'faults' in read ? read.faults.get(index) : isFitting ? undefined : labels.noObject}
          form={{ components, labels }}
          onChange={(changed) =>
            change(fields.map((each) => (each === field ? { ...each, ...changed } : each)))
          }
        />
      ))}
      {!isWhole && (
        <div>
          <components.Button
            look="quiet"
            disabled={!('input' in read)}
            onClick={() => 'input' in read && setFields(fieldsOf(read.input, undefined, true))}
          >
            {labels.editAsJson}
          </components.Button>
        </div>
      )}
      {/* Not announced: the field says what is wrong with it, and the changes are read below. */}
      <div className="sa-hint">
        {!isFitting ? labels.editInvalid : changes.length === 0 ? labels.editNothing : labels.editChanges}
      </div>
      {isFitting && <InputChanges asked={subject.input} edited={read.input} labels={labels} />}
      <div className="sa-actions">
        <components.Button onClick={onCancel}>{labels.editCancel}</components.Button>
        <components.Button
          disabled={changes.length === 0}
          onClick={() => 'input' in read && changes.length > 0 && onAllow(read.input)}
        >
          {labels.allowChanged}
        </components.Button>
      </div>
    </div>
  )
}

export { InputChanges }
