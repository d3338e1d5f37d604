import { type AskedQuestion, withLineBreaks } from '@sandagent/core/internal'
import { type ReactNode, useMemo } from 'react'
import { needsMarkdown } from '../markdown/needs-markdown.ts'
import type { AskForm, TextProps } from '../state/ask-form.ts'

/** Lines drawn with signs, which belong where they are. Fences say that themselves. */
const isDrawing = (text: string): boolean =>
  /[\u2500-\u257f]|^ *\+[-=]{2}/m.test(text) && !/^ *(```|~~~)/m.test(text)

/** A text of the agent: Markdown, or as it is written. */
export function Text({ form, question, text: asked, kind }: TextProps): ReactNode {
  const text = withLineBreaks(asked)
  const isDrawn = kind === 'preview' && isDrawing(text)
  const isMarkdown =
    !isDrawn && needsMarkdown(text, kind) && (kind === 'preview' || question.textFormat !== 'plain')
  const { markdown, ask } = form
  const { questions } = ask
  const content = useMemo(
    () => (isMarkdown && markdown ? rendered(markdown, text, kind, questions) : undefined),
    [isMarkdown, markdown, text, kind, questions],
  )
  if (content !== undefined) return content
  if (isDrawn || (kind === 'preview' && isMarkdown)) return <pre>{text}</pre>
  return text
}

function rendered(
  render: NonNullable<AskForm['markdown']>,
  text: string,
  kind: TextProps['kind'],
  questions: readonly AskedQuestion[],
): ReactNode | undefined {
  try {
    return render(text, kind, questions)
  } catch (error) {
    console.error(error)
    return undefined // The person can still read the source.
  }
}
