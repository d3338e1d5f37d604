import { isQuickToRender, withLineBreaks } from '@sandagent/core/internal'
import { type ReactNode, useMemo } from 'react'
import { needsMarkdown } from '../markdown/needs-markdown.ts'
import type { AskForm, TextProps } from '../state/ask-form.ts'

/** A text of the agent: Markdown, or as it is written. */
export function Text({ form, question, text: asked, kind }: TextProps): ReactNode {
  const text = withLineBreaks(asked)
  const isMarkdown = needsMarkdown(text, kind) && (kind === 'preview' || question.textFormat !== 'plain')
  const { markdown } = form
  const isRendered = isMarkdown && markdown !== undefined && isQuickToRender(text, form.ask.questions)
  const content = useMemo(
    () => (isRendered ? rendered(markdown, text, kind) : undefined),
    [isRendered, markdown, text, kind],
  )
  if (content !== undefined) return content
  if (kind === 'preview' && isMarkdown) return <pre>{text}</pre>
  return text
}

function rendered(
  render: NonNullable<AskForm['markdown']>,
  text: string,
  kind: TextProps['kind'],
): ReactNode | undefined {
  try {
    return render(text, kind)
  } catch (error) {
    console.error(error)
    return undefined // The person can still read the source.
  }
}
