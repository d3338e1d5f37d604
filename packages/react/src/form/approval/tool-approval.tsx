import {
  decisionOf,
  findOption,
  isOver,
  type OtherPerson,
  optionValue,
  type ToolPart,
  visible,
  waitsForOthers,
} from '@sandagent/core/internal'
import { type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { useTitleBadge } from '../../notify/title-badge.ts'
import { useAsWaiting } from '../../page/waiting-questions.ts'
import type { AskedCall, AskOptions } from '../../use-ask-session.ts'
import { useAskUserQuestion } from '../../use-ask-user-question.ts'
import { guardLostTyping } from '../keyboard/lost-typing.ts'
import { type AskLabels, englishLabels } from '../labels/ask-labels.ts'
import { AskerTag } from '../parts/asker-tag.tsx'
import { Button as OwnButton } from '../parts/button.tsx'
import { Deadline } from '../parts/deadline.tsx'
import { WithFallback } from '../parts/fallback.tsx'
import { Problem } from '../parts/footer/problem.tsx'
import { SendBar } from '../parts/footer/send-bar.tsx'
import { Status } from '../parts/footer/status.tsx'
import { PresenceLine, PresenceNews } from '../parts/others.tsx'
import { TextArea } from '../parts/text-area.tsx'
import type { AskComponents } from '../state/ask-form.ts'
import { entryOf } from '../state/entries.ts'
import { guardComponents } from '../state/guard-components.tsx'
import { type Overrides, override } from '../state/override.ts'
import { useArrivalGuard } from '../state/use-arrival-guard.ts'
import { useFocusMove } from '../state/use-focus-move.ts'
import { usePointerGuard } from '../state/use-pointer-guard.ts'
import { type ApprovalLabels, decisionLabel, englishApprovalLabels } from './approval-labels.ts'
import { replay, usePastApproval } from './past-approval.ts'
import { ToolInput } from './tool-input.tsx'

export type ToolApprovalProps = Omit<AskOptions, 'autoSubmit' | 'undoMs'> &
  AskedCall & {
    /** Texts in the place of the English ones. */
    labels?: Overrides<AskLabels & ApprovalLabels> | undefined
    /** Your button in the place of the form's own. */
    components?: Overrides<Pick<AskComponents, 'Button'>> | undefined
    className?: string | undefined
  }

/**
 * Asks whether the agent may use a tool. It shows nothing unless the host says that this call needs an approval. It
 * shows the call as the host knows it, not as the message says. No key alone allows anything. For a call that is over
 * it shows what was decided.
 */
export function ToolApproval(props: ToolApprovalProps): ReactElement {
  return <WithFallback View={ThisApproval} props={props} />
}

const OWN_PARTS: Pick<AskComponents, 'Button'> = { Button: OwnButton }

function ThisApproval(props: ToolApprovalProps): ReactElement {
  const [wasOver] = useState(props.part && isOver(props.part))
  return wasOver && props.part && isOver(props.part) ? <Past {...props} /> : <Approval {...props} />
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

function Approval({ className = '', ...props }: ToolApprovalProps): ReactElement | null {
  const ask = useAskUserQuestion(props)
  const { Button } = guardComponents(OWN_PARTS, props.components)
  const labels = override({ ...englishLabels, ...englishApprovalLabels }, props.labels)
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
  useEffect(guardLostTyping, [])
  useTitleBadge(isWaiting)
  useAsWaiting(
    root,
    isWaiting && !ask.isSubmitting
      ? {
          toolCallId: ask.toolCallId,
          kind: 'approval',
          title: visible(question.question || subject.toolName),
          typedQuestion: undefined,
          show() {
            root.current?.scrollIntoView({ block: 'start' })
            moveFocus('textarea')
          },
          answerWith() {},
        }
      : null,
  )
  if (!isAsked) return null

  const { options = [] } = question
  const denials = options.filter((option) => decisionOf(optionValue(option)) === 'deny')
  const entry = entryOf(ask, question)
  const unsent = entryOf({ responses: ask.entered }, question).notes
  const isOff = isWaiting && (!hasArrived || ask.isSubmitting)
  const labelledBy = question.question ? `${id}question` : undefined
  const isOpen = isWaiting || waitsForOthers(ask.status)
  const title = isOpen ? labels.asksPermission : labels.askedPermission
  const labelOf = (value: string): string =>
    visible(decisionLabel(labels, findOption(question, value) ?? { label: value }))
  const voteOf = (person: OtherPerson): string => {
    const { selected, notes } = entryOf(person, question)
    return [...selected.map(labelOf), visible(notes)].filter(Boolean).join(', ')
  }
  const decide = (act: () => void): void => {
    act()
    status.current?.focus()
  }
  const form = {
    ask,
    labels,
    components: { Button },
    isReview: false,
    submit: ask.submit,
    retry: () => decide(ask.retry),
    undo: () => decide(ask.undo),
  }

  return (
    <section
      ref={root}
      className={`sa-ask ${className}`}
      data-status={ask.status}
      data-tool-call-id={ask.toolCallId}
      aria-label={labels.about(title, visible(subject.toolName))}
      onClickCapture={guard.onClickCapture}
    >
      <header className="sa-header">
        <p className="sa-title">
          {title} <AskerTag asker={ask.asker} labels={labels} />
        </p>
        {isWaiting && ask.deadline !== null && <Deadline at={ask.deadline} labels={labels} />}
      </header>
      <fieldset className="sa-fields" disabled={isOff} aria-labelledby={labelledBy}>
        <div className="sa-body" data-busy={ask.isSubmitting || undefined}>
          {question.question && (
            <p className="sa-legend" dir="auto" id={`${id}question`}>
              {visible(question.question)}
            </p>
          )}
          <ToolInput toolName={subject.toolName} input={subject.input} labels={labels} />
          {isWaiting ? (
            <>
              <TextArea
                aria-label={labels.approvalNote}
                placeholder={labels.approvalNote}
                value={entry.notes}
                onChange={({ target }) => ask.setNotes(question.id, target.value)}
              />
              {options.map(
                (option) =>
                  option.description && (
                    <p key={option.label} className="sa-hint">
                      <bdi>{visible(decisionLabel(labels, option))}:</bdi>
                      <bdi>{visible(option.description)}</bdi>
                    </p>
                  ),
              )}
            </>
          ) : (
            <p className="sa-decision">
              {entry.selected.map((value) => (
                <bdi key={value}>{labelOf(value)}</bdi>
              ))}
              {entry.notes.trim() !== '' && <q dir="auto">{entry.notes}</q>}
            </p>
          )}
          {!isWaiting && unsent.trim() !== '' && unsent !== entry.notes && (
            <p className="sa-hint">
              {labels.unsent}: <q dir="auto">{unsent}</q>
            </p>
          )}
        </div>
      </fieldset>
      <div className="sa-footer">
        <p className="sa-status" role="status" tabIndex={-1} ref={status}>
          <Status form={form} />
        </p>
        {ask.status === 'retrying' ? (
          <SendBar form={form} />
        ) : ask.status === 'voted' ? (
          <div className="sa-actions">
            <Button onClick={form.undo}>{labels.change}</Button>
          </div>
        ) : (
          isWaiting && (
            <fieldset disabled={isOff} aria-labelledby={labelledBy}>
              <div className="sa-actions">
                {denials.length === 0 && (
                  <Button
                    look="primary"
                    onClick={() => decide(() => ask.decline(entry.notes.trim() || undefined))}
                  >
                    {labels.decline}
                  </Button>
                )}
                {[...denials, ...options.filter((option) => !denials.includes(option))].map((option) => (
                  <Button
                    key={option.label}
                    look={denials.includes(option) ? 'primary' : 'plain'}
                    onClick={() =>
                      decide(() =>
                        // The button is no mere pick: pressing it is the decision.
                        ask.selectAnswer(question.id, optionValue(option), false, {
                          autoSubmit: 'immediately',
                        }),
                      )
                    }
                  >
                    <bdi>{visible(decisionLabel(labels, option))}</bdi>
                  </Button>
                ))}
              </div>
            </fieldset>
          )
        )}
      </div>
      <div className="sa-problem" role="alert">
        <Problem form={form} />
      </div>
      {isOpen && (
        <div className="sa-others">
          <PresenceNews ask={ask} labels={labels} />
          <PresenceLine ask={ask} labels={labels} voteOf={voteOf} />
        </div>
      )}
      <p className="sa-hidden" aria-live="polite">
        {hasArrived && labels.about(title, visible(question.question || subject.toolName))}
      </p>
    </section>
  )
}
