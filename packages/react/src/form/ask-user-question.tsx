import {
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  useRef,
  useState,
} from 'react'
import { useQuestionNotification } from '../notify/question-notification.ts'
import { useTitleBadge } from '../notify/title-badge.ts'
import type { UseAskUserQuestionOptions } from '../use-ask-session.ts'
import { useAskUserQuestion } from '../use-ask-user-question.ts'
import { defaultComponents } from './default-components.ts'
import { onFormKey } from './keyboard/shortcuts.ts'
import { type AskLabels, englishLabels } from './labels/ask-labels.ts'
import type { AskComponents, PreviewFormat } from './state/ask-form.ts'
import { useArrived } from './state/use-arrival-guard.ts'
import { useAskForm } from './state/use-ask-form.ts'

export interface AskUserQuestionProps extends UseAskUserQuestionOptions {
  /** Several questions one by one with a review at the end, or all at once. Default `steps`. */
  layout?: 'steps' | 'all'
  /** How the agent writes the previews of its options. Default `markdown`; HTML is shown in a sandboxed frame. */
  previewFormat?: PreviewFormat
  /** Texts that take the place of the English ones. */
  labels?: Partial<AskLabels>
  /** Parts that take the place of the form's own. */
  components?: Partial<AskComponents>
  /** Whether a browser notification tells of a question in a hidden tab, once `askToNotify` was allowed. */
  notify?: boolean
  className?: string
}

/**
 * A question of an agent, as a form while it waits and as a summary afterwards. Its looks are in
 * `@sandagent/react/styles.css`.
 */
export function AskUserQuestion(props: AskUserQuestionProps): ReactElement {
  // Another call is another form: nothing of one goes over to the next.
  return <Form key={props.part.toolCallId} {...props} />
}

function Form({
  layout = 'steps',
  previewFormat = 'markdown',
  className = '',
  ...props
}: AskUserQuestionProps) {
  const { autoSubmit = true, notify, part } = props
  const ask = useAskUserQuestion(props)
  const root = useRef<HTMLElement>(null)
  const byHand = useRef(false)
  const clickedStep = useRef(0)
  const [isCollapsed, setCollapsed] = useState(false)
  const isWaiting = ask.isWaitingForInput
  const isOpen = isWaiting || ask.status === 'streaming'
  const hasArrived = useArrived(isWaiting)
  const form = useAskForm({
    ask,
    labels: { ...englishLabels, ...props.labels },
    components: { ...defaultComponents, ...props.components },
    previewFormat,
    isStepwise: layout === 'steps' && ask.questions.length > 1,
    autoSubmit,
    root,
    byHand,
  })
  const { labels, components, isDeclining, isReview, isStepwise, step } = form
  const firstQuestion = ask.questions[0]?.question ?? ''
  useTitleBadge(isWaiting)
  useQuestionNotification({
    isEnabled: notify,
    isWaiting,
    toolCallId: part.toolCallId,
    title: labels.asks,
    body: firstQuestion,
  })
  const shown = isStepwise ? ask.questions.slice(step, step + 1) : ask.questions
  const bodyId = `${form.id}body`

  const onKeyDown = (event: KeyboardEvent): void => {
    byHand.current = false
    onFormKey(event, form, (what) => {
      byHand.current = true
      what()
      byHand.current = false
    })
  }
  const onClickCapture = (event: MouseEvent): void => {
    // The second click of a double click was meant for the question that stood here at the first.
    if (event.detail > 1 && clickedStep.current !== step) {
      event.preventDefault()
      event.stopPropagation()
    }
    clickedStep.current = step
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    form.goOn()
  }

  return (
    <section
      ref={root}
      className={`sa-ask ${className}`}
      data-status={ask.status}
      aria-label={labels.about(isOpen ? labels.asks : labels.asked, firstQuestion)}
    >
      <header className="sa-header">
        <p className="sa-title">
          <components.Title form={form} />
        </p>
        {isOpen && (
          <components.Button
            look="quiet"
            aria-expanded={!isCollapsed}
            aria-controls={bodyId}
            onClick={() => setCollapsed(!isCollapsed)}
          >
            {isCollapsed ? labels.show : labels.hide}
          </components.Button>
        )}
      </header>
      <div className="sa-body" id={bodyId} hidden={isOpen && isCollapsed}>
        {isOpen ? (
          <form
            noValidate
            onSubmit={onSubmit}
            onKeyDown={onKeyDown}
            onClickCapture={onClickCapture}
            onPointerDown={() => {
              byHand.current = true
            }}
          >
            <fieldset
              className="sa-fields"
              role="presentation"
              disabled={!hasArrived || ask.isSubmitting}
              data-busy={ask.isSubmitting || undefined}
            >
              {isStepwise && <components.Chips form={form} />}
              {isReview ? (
                <components.Review form={form} />
              ) : (
                shown.map((question) => (
                  <components.Question key={question.id} form={form} question={question} />
                ))
              )}
              {isDeclining ? <components.Decline form={form} /> : <components.Actions form={form} />}
              <components.Keys form={form} />
            </fieldset>
          </form>
        ) : (
          <components.Summary form={form} />
        )}
        <div className="sa-problem" role="alert">
          <components.Problem form={form} />
        </div>
      </div>
      <p className="sa-status" role="status" tabIndex={-1}>
        <components.Status form={form} />
      </p>
    </section>
  )
}
