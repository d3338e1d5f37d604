import { visible } from '@sandagent/core/internal'
import { type ReactElement, useEffect, useRef } from 'react'
import type { TypedLabels } from '../../labels/typed-labels.ts'
import { TextArea } from '../../parts/text-area.tsx'
import { DateInput } from '../../typed/date-input.tsx'
import { NumberInput } from '../../typed/number-input.tsx'
import type { ApprovalForm } from '../approval-form.ts'
import type { EditLabels } from './edit-labels.ts'
import type { InputField } from './input-fields.ts'

interface EditFieldProps {
  id: string
  field: InputField
  fault: string | undefined
  form: Pick<ApprovalForm, 'components'> & { labels: ApprovalForm['labels'] & EditLabels & TypedLabels }
  onChange(changed: Partial<InputField>): void
}

/** One value of an input. One that may be left out can be added and removed. */
export function EditField({ id, field, fault, form, onChange }: EditFieldProps): ReactElement {
  const { labels, components } = form
  const wasGiven = useRef(field.isGiven)
  // The button that added or removed the value is gone.
  useEffect(() => {
    if (wasGiven.current !== field.isGiven) document.getElementById(id)?.focus()
    wasGiven.current = field.isGiven
  }, [id, field.isGiven])
  const name = field.name === null ? labels.editWhole : visible(field.name)
  if (!field.isGiven)
    return (
      <div>
        <components.Button id={id} look="quiet" onClick={() => onChange({ isGiven: true })}>
          {labels.editAdd(name)}
        </components.Button>
      </div>
    )
  return (
    <div className="sa-call">
      <label htmlFor={id}>{name}</label>
      <Entry id={id} field={field} fault={fault} labels={labels} onChange={(text) => onChange({ text })} />
      <p className="sa-hint" id={`${id}hint`}>
        {field.kind === 'lines' && labels.editLines}
        {field.typed && `${labels.typedHint(field.typed)} `}
        {field.description !== '' && <q dir="auto">{visible(field.description)}</q>}
      </p>
      {fault !== undefined && (
        <p className="sa-hint sa-deny" id={`${id}fault`} role="alert">
          {fault}
        </p>
      )}
      {field.isOptional && (
        <div>
          <components.Button
            look="quiet"
            aria-label={labels.about(labels.editRemove, name)}
            onClick={() => onChange({ isGiven: false })}
          >
            {labels.editRemove}
          </components.Button>
        </div>
      )}
    </div>
  )
}

interface EntryProps {
  id: string
  field: InputField
  fault: string | undefined
  labels: TypedLabels
  onChange(text: string): void
}

function Entry({ id, field, fault, labels, onChange }: EntryProps): ReactElement {
  const { kind, text, choices, typed } = field
  const attributes = {
    id,
    'aria-invalid': fault !== undefined || undefined,
    'aria-describedby': `${id}hint ${id}fault`,
  }
  if (kind === 'boolean')
    return (
      <div>
        <input
          {...attributes}
          type="checkbox"
          checked={text === 'true'}
          onChange={({ target }) => onChange(String(target.checked))}
        />
      </div>
    )
  if (kind === 'choice')
    return (
      <select
        {...attributes}
        className="sa-input"
        value={text}
        onChange={({ target }) => onChange(target.value)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {visible(shownChoice(choice))}
          </option>
        ))}
      </select>
    )
  const props = { id, title: '', text, labels, onEnter: onChange, attributes }
  if (typed?.kind === 'number') return <NumberInput typed={typed} {...props} />
  if (typed) return <DateInput typed={typed} {...props} />
  return (
    <TextArea
      {...attributes}
      className="sa-input"
      dir="ltr"
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** A text without its quotation marks. */
const shownChoice = (json: string): string => {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : json
}
