import { type ReactElement, useEffect, useState } from 'react'
import type { AskLabels } from '../labels/ask-labels.ts'
import { framedHtml } from './framed-html.ts'

interface HtmlPreviewProps {
  labels: AskLabels
  name: string
  html: string
}

/** HTML of an agent in a frame. Empty on a server, which cannot make HTML harmless. */
export function HtmlPreview({ name, html }: HtmlPreviewProps): ReactElement {
  const [framed, setFramed] = useState<string>()
  useEffect(() => setFramed(framedHtml(html)), [html])
  return (
    <iframe className="sa-preview" title={name} sandbox="" referrerPolicy="no-referrer" srcDoc={framed} />
  )
}
