import type { ReactElement } from 'react'
import type { AskForm } from '../ask-form.ts'
import { useLate } from '../use-late.ts'

const load = (): Promise<typeof import('./preview-chunk.ts')> => import('./preview-chunk.ts')

export interface PreviewProps {
  form: AskForm
  label: string
  text: string
}

/** What a choice would look like. Until what renders it is loaded, Markdown is shown as it is written. */
export function Preview(props: PreviewProps): ReactElement {
  const late = useLate(load)
  const { labels, previewFormat } = props.form
  if (late) return <late.RenderedPreview {...props} />
  const name = labels.about(labels.preview, props.label)
  return previewFormat === 'html' ? (
    <iframe className="sa-preview" title={name} sandbox="" />
  ) : (
    <figure className="sa-preview" aria-label={name} dir="auto">
      <pre>{props.text}</pre>
    </figure>
  )
}
