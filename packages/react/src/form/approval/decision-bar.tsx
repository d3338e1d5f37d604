import { decisionOf, optionValue } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import { AskBack } from '../parts/footer/asking-back.tsx'
import { SendBar } from '../parts/footer/send-bar.tsx'
import { entryOf } from '../state/entries.ts'
import { onDemand } from '../state/on-demand.tsx'
import { type ApprovalPartProps, decisionsIn, labelOf } from './approval-form.ts'
import { EditButton } from './edit/edit-call.tsx'

/** Loaded where the host offers more than this call. */
const ScopeButtons = onDemand<ApprovalPartProps>(() =>
  import('./allow/scope-buttons.tsx').then(({ ScopeButtons }) => ScopeButtons),
)

/** Loaded where a passkey must sign. */
const PasskeyLine = onDemand<ApprovalPartProps>(() =>
  import('./allow/signed-decision.tsx').then(({ PasskeyLine }) => PasskeyLine),
)

/** What a person can press now: a decision, or what takes one back. */
export function DecisionBar({ form }: ApprovalPartProps): ReactElement | null {
  const { ask, labels, components, headingId, edit, isOff } = form
  if (ask.status === 'retrying') return <SendBar form={form} />
  if (ask.status === 'voted')
    return (
      <div className="sa-actions">
        <components.Button onClick={form.undo}>{labels.change}</components.Button>
      </div>
    )
  if (!ask.isWaitingForInput) return null
  return (
    <fieldset disabled={isOff} aria-labelledby={headingId}>
      <div className="sa-actions">
        <DecisionButtons form={form} />
      </div>
      {ask.view?.rule?.passkey && <PasskeyLine form={form} />}
      {ask.view?.scopes && !edit.isOpen && <ScopeButtons form={form} />}
    </fieldset>
  )
}

/** A button for each decision. Pressing it is the decision: it is no mere pick. */
function DecisionButtons({ form }: ApprovalPartProps): ReactElement {
  const { ask, labels, components, question, edit, decide } = form
  const { denials, others } = decisionsIn(form)
  return (
    <>
      {denials.length === 0 && (
        <components.Button
          className="sa-deny"
          data-decision="deny"
          onClick={() => decide(() => ask.decline(entryOf(ask, question).notes.trim() || undefined))}
        >
          {labels.decline}
        </components.Button>
      )}
      {/* What the editor shows is allowed by its own button. */}
      {[...denials, ...(edit.isOpen ? [] : others)].map((option) => (
        <components.Button
          key={option.label}
          className={denials.includes(option) ? 'sa-deny' : undefined}
          data-decision={decisionOf(optionValue(option))}
          onClick={() =>
            decide(() =>
              ask.selectAnswer(question.id, optionValue(option), false, { autoSubmit: 'immediately' }),
            )
          }
        >
          <bdi>{labelOf(form, optionValue(option))}</bdi>
        </components.Button>
      ))}
      {!edit.isOpen && <EditButton form={form} />}
      {!edit.isOpen && ask.takesQuestions && <AskBack form={form} />}
    </>
  )
}
