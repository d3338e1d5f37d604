import {
  type AskOptions,
  AskUserQuestion,
  englishLabels,
  type QuestionView,
  ToolApproval,
} from '@sandagent/react'
import { type KeyboardEvent, type ReactElement, useRef } from 'react'
import { useReading } from '../keys/reading.ts'

interface QuestionFormProps {
  sandboxId: string
  question: QuestionView
  /** How answers reach the host. */
  connection: Pick<AskOptions, 'answerEndpoint' | 'headers' | 'transport' | 'onAnswer' | 'autoSubmit'>
  /** Called for Escape where the form has nothing to take back. Without it, Escape declines. */
  onLeave?: () => void
}

/** The outbox says when an answer is sent. */
const ON_ITS_WAY = { sending: 'On its way to the agent', sent: 'On its way to the agent' }
const LABELS = {
  ...ON_ITS_WAY,
  shortcuts: { ...englishLabels.shortcuts, escape: ['Esc', 'back to the list'] as const },
}

/** The form of a question or an approval, and afterwards what was said. */
export function QuestionForm({ sandboxId, question, connection, onLeave }: QuestionFormProps): ReactElement {
  const { toolCallId, kind, subject } = question
  const place = useRef<HTMLDivElement>(null)
  useReading(place)
  const isApproval = kind === 'approval' && subject !== undefined
  // The id of the person keeps drafts apart: another sandbox may use the same id for its call.
  const common = { toolCallId, ...connection, userId: sandboxId }
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    const { key, nativeEvent, currentTarget } = event
    if (!onLeave || key !== 'Escape' || nativeEvent.isComposing) return
    // These take Escape themselves: what can be undone, what asks whether to decline, and a filter with a text.
    if (
      currentTarget.querySelector('[data-sending], [data-safe], [type=search]:focus:not(:placeholder-shown)')
    )
      return
    event.preventDefault()
    event.stopPropagation()
    onLeave()
  }
  return (
    <div ref={place} className="form" onKeyDownCapture={onKeyDownCapture}>
      {isApproval ? (
        <ToolApproval {...common} {...(onLeave && { labels: ON_ITS_WAY })} />
      ) : (
        <AskUserQuestion {...common} keys="page" {...(onLeave && { labels: LABELS })} />
      )}
    </div>
  )
}
