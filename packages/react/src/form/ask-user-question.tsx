import { holdsUpWork, questionTitle, waitsForOthers } from '@sandagent/core/internal'
import {
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactElement,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { QuestionNotificationOptions } from '../notify/question-notification.ts'
import { useTitleBadge } from '../notify/title-badge.ts'
import { useAsWaiting } from '../page/waiting-questions.ts'
import { useAskUserQuestion } from '../use-ask-user-question.ts'
import type { AskUserQuestionProps } from './ask-user-question-props.ts'
import { defaultComponents } from './default-components.ts'
import { PageKeys } from './keyboard/page-keys.tsx'
import { handleShortcut } from './keyboard/shortcuts.ts'
import { type AskLabels, englishLabels } from './labels/ask-labels.ts'
import { useMarkdown } from './markdown/use-markdown.ts'
import { Announcement } from './parts/announcement.tsx'
import { Deadline } from './parts/deadline.tsx'
import { isSameCall, WithFallback } from './parts/fallback.tsx'
import { Footer } from './parts/footer/footer.tsx'
import { FormUploads } from './parts/question/files/on-demand-files.tsx'
import type { FormPartProps } from './state/ask-form.ts'
import { nextTyped } from './state/entries.ts'
import { guardComponents } from './state/guard-components.tsx'
import { needsRenderer } from './state/needs-renderer.ts'
import { onDemand } from './state/on-demand.tsx'
import { override } from './state/override.ts'
import { useArrivalGuard } from './state/use-arrival-guard.ts'
import { useAskForm } from './state/use-ask-form.ts'
import { useFocusedElement } from './state/use-focused-element.ts'
import { usePointerGuard } from './state/use-pointer-guard.ts'

/** Loaded where notifications are wanted. */
const Notification = onDemand<QuestionNotificationOptions>(() =>
  import('../notify/notification.tsx').then(({ Notification }) => Notification),
)

/** Loaded for a call that follows another, or for whose answer nobody waits now. */
const Above = onDemand<FormPartProps>(() => import('./above.tsx').then(({ Above }) => Above))

/**
 * A question of an agent: a form, then a summary. Its looks are in `@sandagent/react/styles.css`. With `toolCallId`, it shows
 * nothing for an approval: `<ToolApproval>` does.
 */
export function AskUserQuestion(props: AskUserQuestionProps): ReactElement {
  return <WithFallback View={StillForm} props={props} />
}

const StillForm = memo(Form, isSameCall)

function Form({
  layout = 'steps',
  previewFormat = 'markdown',
  className = '',
  keys = 'form',
  ...props
}: AskUserQuestionProps) {
  const { autoSubmit = 'undo', notify } = props
  const ask = useAskUserQuestion(props)
  const root = useRef<HTMLElement>(null)
  const byHand = useRef(false)
  const [isCollapsed, setCollapsed] = useState(false)
  // What is permitted must be seen in full, which is not done here.
  const isForeign = !props.part && ask.kind === 'approval'
  const isWaiting = ask.isWaitingForInput && !isForeign
  const isForOthers = waitsForOthers(ask.status)
  const isOpen = isWaiting || ask.status === 'streaming' || ask.status === 'not-allowed'
  const isMarkdown = useMemo(
    () => needsRenderer(ask.questions, previewFormat),
    [ask.questions, previewFormat],
  )
  const markdown = useMarkdown(isMarkdown)
  const hasArrived = useArrivalGuard(isWaiting && markdown.isSettled)
  const focus = useFocusedElement()
  const [pageKeysWork, setPageKeysWork] = useState(false)
  const guard = usePointerGuard(root, isWaiting)
  const form = useAskForm({
    ask,
    labels: override(englishLabels, props.labels),
    components: guardComponents(defaultComponents, props.components),
    previewFormat,
    options: props,
    markdown: markdown.render,
    isStepwise: layout === 'steps' && ask.questions.length > 1,
    autoSubmit,
    focused: focus.element ?? (pageKeysWork ? 'page' : null),
    root,
    byHand,
  })
  const { labels, components, isDeclining, isReview, isStepwise, step } = form
  const [first] = ask.questions
  const firstQuestion = first ? questionTitle(first) : ''
  const waitsForYou = isWaiting && (!ask.view || holdsUpWork(ask.view))
  useTitleBadge(waitsForYou)
  const shown = isStepwise ? ask.questions.slice(step, step + 1) : ask.questions
  const bodyId = `${form.id}body`
  const isOff = isOpen && (!hasArrived || ask.isSubmitting)

  const actByHand = (what: () => void): void => {
    byHand.current = true
    what()
    byHand.current = false
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    byHand.current = false
    if (isOpen) handleShortcut(event, form, actByHand)
  }
  const typed = ask.isEditable ? nextTyped(ask) : undefined
  useAsWaiting(
    root,
    isWaiting && !ask.isSubmitting
      ? {
          toolCallId: ask.toolCallId,
          kind: 'question',
          title: firstQuestion,
          typedQuestion: typed && questionTitle(typed),
          show() {
            setCollapsed(false)
            root.current?.scrollIntoView({ block: 'start' })
            form.goTo(form.step)
          },
          answerWith: (text) => typed && form.answerWith(typed, text),
        }
      : null,
  )
  const onClickCapture = (event: MouseEvent): void => {
    guard.onClickCapture(event)
    if (event.detail > 0 && !event.defaultPrevented) byHand.current = true
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    form.goOn()
  }

  if (isForeign) return null
  return (
    <section
      ref={root}
      className={`sa-ask not-prose ${className}`}
      data-status={ask.status}
      data-tool-call-id={ask.toolCallId}
      // The question itself is announced on arrival, and read as the name of its options.
      aria-label={
        isOpen || !first
          ? nameOf(labels, labels.asks, first?.header)
          : nameOf(labels, labels.asked, firstQuestion)
      }
    >
      <header className="sa-header">
        <p className="sa-title">
          <components.Title form={form} />
        </p>
        {isWaiting && ask.deadline !== null && <Deadline at={ask.deadline} labels={labels} />}
      </header>
      <form
        noValidate
        onSubmit={onSubmit}
        onKeyDown={onKeyDown}
        onClickCapture={onClickCapture}
        {...focus.handlers}
      >
        <fieldset className="sa-fields" role="presentation" disabled={isOff}>
          <div
            className="sa-body"
            id={bodyId}
            hidden={isOpen && isCollapsed}
            data-busy={ask.isSubmitting || undefined}
          >
            {(ask.thread.length > 0 || (isWaiting && (ask.view?.blocking === false || !waitsForYou))) && (
              <Above form={form} />
            )}
            {!isOpen && <components.Summary form={form} />}
            {isOpen &&
              (isReview ? (
                <components.Review form={form} />
              ) : (
                shown.map((question) => (
                  <components.Question key={question.id} form={form} question={question} />
                ))
              ))}
            {ask.questions.some(({ files }) => files) && <FormUploads form={form} />}
            {isOpen && isDeclining && <components.Decline form={form} />}
            {isOpen && isStepwise && <components.Chips form={form} />}
            {isOpen && <components.Shortcuts form={form} />}
          </div>
        </fieldset>
        <Footer form={form} isOff={isOff} hasActions={isOpen && !isForOthers && !isCollapsed} />
        <div className="sa-problem" role="alert">
          <components.Problem form={form} />
        </div>
        {(isWaiting || isForOthers) && !isCollapsed && (
          <fieldset role="presentation" disabled={isOff}>
            <components.Others form={form} />
          </fieldset>
        )}
      </form>
      {isOpen && (
        <components.Button
          look="quiet"
          className="sa-toggle"
          aria-expanded={!isCollapsed}
          aria-controls={bodyId}
          onClick={() => setCollapsed(!isCollapsed)}
        >
          {isCollapsed ? labels.show : labels.hide}
        </components.Button>
      )}
      <Announcement form={form} isOn={hasArrived} />
      {notify && (
        <Notification
          isEnabled
          isWaiting={waitsForYou}
          toolCallId={ask.toolCallId}
          title={labels.asks}
          body={firstQuestion}
        />
      )}
      {keys === 'page' && (
        <PageKeys
          isOn={isWaiting && !isCollapsed}
          form={form}
          root={root}
          act={actByHand}
          onChange={setPageKeysWork}
        />
      )}
    </section>
  )
}

const nameOf = (labels: AskLabels, title: string, which: string | undefined): string =>
  which ? labels.about(title, which) : title
