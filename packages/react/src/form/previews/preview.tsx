import { type ReactElement, useRef } from 'react'
import type { PreviewProps } from '../state/ask-form.ts'
import { onDemand } from '../state/on-demand.tsx'
import { useOverflow } from '../state/use-overflow.ts'
import type { HtmlPreviewProps } from './html-preview.tsx'

/** Empty on a server, which cannot make HTML harmless. */
const HtmlPreview = onDemand<HtmlPreviewProps>(
  () => import('./html-preview.tsx').then(({ HtmlPreview }) => HtmlPreview),
  ({ name, source }, hasFailed) => (hasFailed ? source : <iframe className="sa-preview" title={name} />),
)

/** What a choice would look like. */
export function Preview(props: PreviewProps): ReactElement {
  const { form, label, text } = props
  const { labels } = form
  const name = labels.about(labels.preview, label)
  if (form.previewFormat === 'markdown') return <MarkdownPreview {...props} name={name} />
  const source = (
    <figure className="sa-preview sa-text" aria-label={name}>
      <p>{labels.noHtmlPreview}</p>
      <pre>{text}</pre>
    </figure>
  )
  return <HtmlPreview {...props} name={name} source={source} />
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
      tabIndex={isScrollable ? 0 : undefined}
    >
      <Text form={form} question={question} text={text} kind="preview" />
    </figure>
  )
}
