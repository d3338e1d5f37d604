import {
  jsonForPeople,
  readQuestions,
  samePart,
  type ToolPart,
  withLineBreaks,
} from '@sandagent/core/internal'
import type { ComponentType, ReactElement } from 'react'
import { englishLabels } from '../labels/ask-labels.ts'
import { ErrorBoundary } from '../state/error-boundary.tsx'

interface CallProps {
  part?: ToolPart | undefined
  toolCallId?: string | undefined
  labels?: { unusable?: unknown } | undefined
  className?: string | undefined
}

interface WithFallbackProps<Props> {
  /** What shows the call. */
  View: ComponentType<Props>
  props: Props
}

/**
 * Shows a call, with a new form for each call. If replaced texts or parts make the form fail, it starts again without
 * them. If it fails again, the call is shown as text.
 */
export function WithFallback<Props extends CallProps>({
  View,
  props: given,
}: WithFallbackProps<Props>): ReactElement {
  // A chat may change its part in place: what was shown before is compared with it.
  const props = { ...given, part: given.part && { ...given.part } }
  const plain = { ...props, labels: undefined, components: undefined }
  return (
    <ErrorBoundary
      key={props.part?.toolCallId ?? props.toolCallId}
      fallback={
        <ErrorBoundary fallback={<Fallback {...props} />}>
          <View {...plain} />
        </ErrorBoundary>
      }
    >
      <View {...props} />
    </ErrorBoundary>
  )
}

/**
 * Whether two renders show the same call in the same way. A chat copies all its parts with each chunk of a reply, so their
 * identity tells nothing: without this, each chunk would render every form of the page again.
 */
export const isSameCall = (before: CallProps, after: CallProps): boolean =>
  Object.keys({ ...before, ...after }).every((name) => {
    const [one, other] = [before, after].map((props) => props[name as 'part'])
    return Object.is(one, other) || (name === 'part' && one && other && samePart(one, other))
  })

/** What is left if the form fails as a whole: the call as text. */
function Fallback({ part, labels, className = '' }: CallProps): ReactElement {
  const said = typeof labels?.unusable === 'string' ? labels.unusable : englishLabels.unusable
  return (
    <section className={`sa-ask not-prose ${className}`} aria-label={said}>
      <div className="sa-body sa-text">
        <p>{said}</p>
        {textsOf(part?.input).map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text is its position
          <p key={index} dir="auto">
            {text}
          </p>
        ))}
      </div>
    </section>
  )
}

function textsOf(input: unknown): string[] {
  const questions = readQuestions(input)
  if (questions.length === 0) return [jsonForPeople(input)]
  return questions.map(({ question, options = [] }) =>
    withLineBreaks([question, ...options.map(({ label }) => `• ${label}`)].join('\n')),
  )
}
