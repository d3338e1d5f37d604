import { readQuestions, type ToolPart } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import { englishLabels } from '../labels/english-labels.ts'

interface FallbackProps {
  part: ToolPart
  labels: { unusable?: unknown } | undefined
  className: string | undefined
}

/** What is left if the form fails as a whole: the call as text. */
export function Fallback({ part, labels, className = '' }: FallbackProps): ReactElement {
  const said = typeof labels?.unusable === 'string' ? labels.unusable : englishLabels.unusable
  return (
    <section className={`sa-ask ${className}`} aria-label={said}>
      <div className="sa-body sa-text">
        <p>{said}</p>
        {textsOf(part).map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text is its position
          <p key={index} dir="auto">
            {text}
          </p>
        ))}
      </div>
    </section>
  )
}

function textsOf({ input }: ToolPart): string[] {
  const questions = readQuestions(input)
  if (questions.length === 0) return [JSON.stringify(input, null, 2) ?? '']
  return questions.map(({ question, options = [] }) =>
    [question, ...options.map(({ label }) => `• ${label}`)].join('\n'),
  )
}
