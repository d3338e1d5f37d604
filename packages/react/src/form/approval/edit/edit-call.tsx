import { jsonForPeople, visible } from '@sandagent/core/internal'
import { type ReactElement, useEffect, useRef } from 'react'
import { onDemand } from '../../state/on-demand.tsx'
import type { ApprovalForm, ApprovalPartProps } from '../approval-form.ts'
import type { InputChangesProps } from './input-changes.tsx'
import type { InputEditorProps } from './input-editor.tsx'
import { editedIn } from './use-call-edit.ts'

const InputEditor = onDemand<InputEditorProps>(
  () => import('./input-editor.tsx').then(({ InputEditor }) => InputEditor),
  ({ form: { labels, components }, onCancel }, hasFailed) => (
    <div role="status">
      {hasFailed ? labels.editFailed : labels.editLoading}{' '}
      <components.Button onClick={onCancel}>{labels.editCancel}</components.Button>
    </div>
  ),
)

const InputChanges = onDemand<InputChangesProps>(
  () => import('./input-editor.tsx').then(({ InputChanges }) => InputChanges),
  // All of it is there also where the rest does not load.
  ({ edited }) => <pre dir="ltr">{visible(jsonForPeople(edited))}</pre>,
)

/** The button that opens the editor. Where it cannot be used, it is not there. */
export function EditButton({ form }: ApprovalPartProps): ReactElement | null {
  const { edit, labels, components } = form
  const place = useRef<HTMLSpanElement>(null)
  // The editor that had the focus is gone.
  useEffect(() => {
    if (edit.hasClosed) place.current?.querySelector('button')?.focus()
  }, [edit.hasClosed])
  if (!edit.isPossible) return null
  return (
    <span ref={place}>
      <components.Button onClick={() => edit.open()}>{labels.edit}</components.Button>
    </span>
  )
}

/** The editor of a call, with the button that allows the changed one. */
export function EditCall({ form }: ApprovalPartProps): ReactElement | null {
  const { ask, edit, question, decide } = form
  if (!edit.isOpen) return null
  return (
    <InputEditor
      key={edit.start}
      form={form}
      input={edit.input}
      onCancel={edit.close}
      onAllow={(input) =>
        decide(() => ask.selectAnswer(question.id, edit.option, false, { autoSubmit: 'immediately', input }))
      }
    />
  )
}

/** What was changed: by the decision, or by what this page did not send. */
export function ChangesMade({ form, input }: ApprovalPartProps & { input: unknown }): ReactElement | null {
  if (input === undefined) return null
  return (
    <div className="sa-call">
      <p className="sa-hint">{form.labels.editMade}</p>
      <InputChanges asked={form.subject.input} edited={input} labels={form.labels} />
    </div>
  )
}

/** What other people have changed, and a button to go on with it: several people must allow the same call. */
export function OthersChanges({ form }: { form: ApprovalForm }): ReactElement {
  const { ask, edit, labels, components, question } = form
  return (
    <>
      {ask.others.map((person) => {
        const input = editedIn(person.responses, question)
        if (input === undefined) return null
        const title = labels.editBy(person.name === undefined ? labels.somebody : visible(person.name))
        return (
          // No landmark: a page may show several approvals.
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would be more than a name
          <div key={person.id} role="group" className="sa-other" aria-label={title}>
            <p className="sa-quiet">
              <bdi>{title}</bdi>
            </p>
            <ChangesMade form={form} input={input} />
            {edit.isPossible && (
              <components.Button onClick={() => edit.open(input)}>{labels.editUse}</components.Button>
            )}
          </div>
        )
      })}
    </>
  )
}
