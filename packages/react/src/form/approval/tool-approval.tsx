import {
  callHeading,
  isOver,
  type OtherPerson,
  quotedName,
  readCall,
  type ToolPart,
  visible,
  waitsForOthers,
} from '@sandagent/core/internal'
import { memo, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { useTitleBadge } from '../../notify/title-badge.ts'
import { useAsWaiting } from '../../page/waiting-questions.ts'
import type { AskedCall, AskOptions } from '../../use-ask-session.ts'
import { type UseAskUserQuestionReturn, useAskUserQuestion } from '../../use-ask-user-question.ts'
import { guardLostTyping } from '../keyboard/lost-typing.ts'
import type { AskBackLabels } from '../labels/ask-back-labels.ts'
import { type AskLabels, englishLabels } from '../labels/ask-labels.ts'
import { Button } from '../parts/button.tsx'
import { isSameCall, WithFallback } from '../parts/fallback.tsx'
import { Problem } from '../parts/footer/problem.tsx'
import { Status } from '../parts/footer/status.tsx'
import { PresenceLine, PresenceNews } from '../parts/others/presence.tsx'
import type { AskComponents, AskingBackProps } from '../state/ask-form.ts'
import { entryOf } from '../state/entries.ts'
import { guardComponents } from '../state/guard-components.tsx'
import { onDemand } from '../state/on-demand.tsx'
import { type Overrides, override } from '../state/override.ts'
import { useArrivalGuard } from '../state/use-arrival-guard.ts'
import { useFocusMove } from '../state/use-focus-move.ts'
import { usePointerGuard } from '../state/use-pointer-guard.ts'
import type { PasskeyLabels } from './allow/passkey-labels.ts'
import { type ApprovalForm, decidedAs, shownCall } from './approval-form.ts'
import { ApprovalHeading } from './approval-heading.tsx'
import { type ApprovalLabels, englishApprovalLabels } from './approval-labels.ts'
import { CallReading } from './call/call-reading.tsx'
import type { PlanLabels } from './call/plan-labels.ts'
import { DecisionBar } from './decision-bar.tsx'
import { DecisionMade, Unsent } from './decision-made.tsx'
import { DecisionNote } from './decision-note.tsx'
import { EditCall, OthersChanges } from './edit/edit-call.tsx'
import type { EditLabels } from './edit/edit-labels.ts'
import { useCallEdit } from './edit/use-call-edit.ts'
import { pageApprovalIn, type RespondToApproval, usePageApproval } from './page-approval.ts'
import { replay, usePastApproval } from './past-approval.ts'
import { decidedIn, PastLine } from './past-line.tsx'

export type ToolApprovalProps = Omit<AskOptions, 'autoSubmit' | 'undoMs'> &
  AskedCall & {
    /** Texts in the place of the English ones. */
    labels?:
      | Overrides<AskLabels & ApprovalLabels & AskBackLabels & EditLabels & PlanLabels & PasskeyLabels>
      | undefined
    /** Your button in the place of the form's own. */
    components?: Overrides<Pick<AskComponents, 'Button'>> | undefined
    className?: string | undefined
    /**
     * Takes the decision about a part that asks its page, as tools of the AI SDK 6 and 7 with `needsApproval` do:
     * `addToolApprovalResponse` of `useChat`. Then the call and the reason are those of the message, and no host is asked.
     */
    respond?: RespondToApproval | undefined
  }

/**
 * Asks whether the agent may use a tool. It shows nothing unless the host says that this call needs an approval. It
 * shows the call as the host knows it, not as the message says. No key alone allows anything. For a call that is over
 * it shows what was decided.
 */
export function ToolApproval(props: ToolApprovalProps): ReactElement {
  return <WithFallback View={StillApproval} props={props} />
}

/** Loaded for a call that follows another. */
const Thread = onDemand<AskingBackProps>(() =>
  import('../parts/question/thread.tsx').then(({ Thread }) => Thread),
)

const OWN_PARTS: Pick<AskComponents, 'Button'> = { Button }

const StillApproval = memo(ThisApproval, isSameCall)

function ThisApproval({ respond, ...props }: ToolApprovalProps): ReactElement {
  const [wasOver] = useState(props.part && isOver(props.part))
  if (respond && props.part && pageApprovalIn(props.part)) return <InPage {...props} respond={respond} />
  return wasOver && props.part && isOver(props.part) ? <Past {...props} /> : <Approval {...props} />
}

function InPage({
  respond,
  ...props
}: Extract<ToolApprovalProps, { part: ToolPart }> & { respond: RespondToApproval }): ReactElement {
  return <Approval {...props} {...usePageApproval({ part: props.part, respond })} />
}

function Past(props: Extract<ToolApprovalProps, { part: ToolPart }>): ReactElement {
  const { place, view } = usePastApproval(props)
  return (
    <>
      <span ref={place} />
      {view && <Approval {...props} key={`${view.revision}`} {...replay(props.part, view)} />}
    </>
  )
}

/** A passkey signs what allows the call, before it is sent. */
const signedBy =
  (ask: UseAskUserQuestionReturn): UseAskUserQuestionReturn['selectAnswer'] =>
  (...pick) =>
    void import('./allow/signed-decision.tsx').then(({ decideSigned }) => decideSigned(ask, ...pick))

function Approval({ className = '', ...props }: ToolApprovalProps): ReactElement | null {
  const found = useAskUserQuestion(props)
  const ask = found.view?.passkey ? { ...found, selectAnswer: signedBy(found) } : found
  const components = guardComponents(OWN_PARTS, props.components)
  const english = { ...englishLabels, ...englishApprovalLabels }
  const labels = override<ApprovalForm['labels']>(english, props.labels)
  const id = useId()
  const status = useRef<HTMLParagraphElement>(null)
  const { subject, questions } = ask
  const [question] = questions
  const isAsked = ask.kind === 'approval' && subject !== undefined && question !== undefined
  const root = useRef<HTMLElement>(null)
  const isWaiting = isAsked && ask.isWaitingForInput
  const hasArrived = useArrivalGuard(isWaiting)
  const guard = usePointerGuard(root, isWaiting)
  const moveFocus = useFocusMove(root)
  const edit = useCallEdit(ask, subject, question)
  useEffect(guardLostTyping, [])
  useTitleBadge(isWaiting)
  useAsWaiting(
    root,
    isWaiting && !ask.isSubmitting
      ? {
          toolCallId: ask.toolCallId,
          kind: 'approval',
          title: callHeading(readCall(subject)),
          typedQuestion: undefined,
          show() {
            root.current?.scrollIntoView({ block: 'start' })
            // Not to the note: letters that are typed as keys of the page would end in it. Nor to a button: Enter presses it.
            moveFocus('.sa-fields:enabled .sa-legend')
          },
          answerWith() {},
        }
      : null,
  )
  if (!isAsked) return null

  const decide = (act: () => void): void => {
    act()
    status.current?.focus()
  }
  const form: ApprovalForm = {
    ask,
    labels,
    components,
    ...shownCall(subject, question, ask.view?.asksAgain),
    question,
    edit,
    headingId: `${id}heading`,
    isOff: isWaiting && (!hasArrived || ask.isSubmitting),
    isReview: false,
    decide,
    submit: ask.submit,
    retry: () => decide(ask.retry),
    undo: () => decide(ask.undo),
  }
  const isOpen = isWaiting || waitsForOthers(ask.status)
  const title = isOpen ? labels.asksPermission : labels.askedPermission
  const heading = labels.heading(form.reading)
  const isStored = !isOpen && ask.status !== 'retrying'
  const decided = isStored ? decidedIn(form) : null
  // The line says what these say.
  const isTold = decided !== null && (ask.status === 'received' || ask.status === 'declined')

  return (
    <section
      ref={root}
      className={`sa-ask not-prose ${className}`}
      data-status={ask.status}
      data-tool-call-id={ask.toolCallId}
      aria-label={labels.about(title, quotedName(subject.toolName))}
      onClickCapture={guard.onClickCapture}
    >
      {decided === null ? (
        <>
          <ApprovalHeading form={form} title={title} />
          <fieldset className="sa-fields" disabled={form.isOff} aria-labelledby={form.headingId}>
            <div className="sa-body" data-busy={ask.isSubmitting || undefined}>
              {ask.thread.length > 0 && <Thread form={form} />}
              <CallReading form={form} />
              {isWaiting ? <DecisionNote form={form} /> : <DecisionMade form={form} isTold={false} />}
              <EditCall form={form} />
            </div>
          </fieldset>
        </>
      ) : (
        <PastLine form={form} decided={decided}>
          <div className="sa-body">
            {ask.thread.length > 0 && <Thread form={form} />}
            <CallReading form={form} />
            <DecisionMade form={form} isTold />
          </div>
        </PastLine>
      )}
      <div className={isTold ? 'sa-hidden' : 'sa-footer'}>
        <p className="sa-status" role="status" tabIndex={-1} ref={status}>
          <Status form={decided === null ? form : { ...form, labels: { ...labels, by: () => '' } }} />
        </p>
        {!isWaiting && <Unsent form={form} />}
        <DecisionBar form={form} />
      </div>
      <div className="sa-problem" role="alert">
        <Problem form={form} />
      </div>
      {isOpen && (
        <div className="sa-others">
          <PresenceNews ask={ask} labels={labels} />
          <PresenceLine ask={ask} labels={labels} voteOf={(person) => voteOf(form, person)} />
          <OthersChanges form={form} />
        </div>
      )}
      <p className="sa-hidden" aria-live="polite">
        {hasArrived && labels.about(title, heading)}
      </p>
    </section>
  )
}

function voteOf(form: ApprovalForm, person: OtherPerson): string {
  const { selected, notes } = entryOf(person, form.question)
  const decided = selected.map((value) => decidedAs(form, value, person.responses))
  return [...decided, visible(notes)].filter(Boolean).join(', ')
}
