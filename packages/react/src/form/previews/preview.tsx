import { type ReactElement, useRef } from 'react'
import type { PreviewProps } from '../state/ask-form.ts'
import { useOverflow } from '../state/use-overflow.ts'
import { HtmlPreview } from './html-preview.tsx'

/** What a choice would look like. */
export function Preview(props: PreviewProps): ReactElement {
  const { form, label, text } = props
  const name = form.labels.about(form.labels.preview, label)
  return form.previewFormat === 'html' ? (
    <HtmlPreview labels={form.labels} name={name} html={text} />
  ) : (
    <MarkdownPreview {...props} name={name} />
  )
}

/** Shows the source until the renderer is loaded, and where rendering would freeze the page. */
function MarkdownPreview({ form, question, text, name }: PreviewProps & { name: string }): ReactElement {
  const { Text } = form.components
  const box = useRef<HTMLElement>(null)
  // Only what scrolls needs the focus: keys scroll the element that has it.
  const isScrollable = useOverflow(box, { content: form.markdown })
  return (
    <figure
      ref={box}
      className="sa-preview sa-text"
      aria-label={name}
      dir="auto"
      {...(isScrollable && { tabIndex: 0 })}
    >
      <Text form={form} question={question} text={text} kind="preview" />
    </figure>
  )
}
