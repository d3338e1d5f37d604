import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { AskLabels } from '../labels/ask-labels.ts'

interface HtmlPreviewProps {
  labels: AskLabels
  name: string
  html: string
}

/** HTML of an agent in a frame. Empty on a server, which cannot make HTML harmless. */
export function HtmlPreview({ labels, name, html }: HtmlPreviewProps): ReactElement {
  const frame = useRef<HTMLIFrameElement>(null)
  const [problem, setProblem] = useState<'unstyled' | 'refused'>()

  useEffect(() => {
    const show = async (): Promise<void> => {
      const { fillFrame } = await import('./framed-html.ts')
      if (frame.current) setProblem(fillFrame(frame.current, html))
    }
    show().catch(() => setProblem('refused'))
  }, [html])

  if (problem === 'refused')
    return (
      <figure className="sa-preview sa-text" aria-label={name}>
        <p>{labels.noHtmlPreview}</p>
        <pre>{html}</pre>
      </figure>
    )
  return (
    <>
      <iframe ref={frame} className="sa-preview" title={name} sandbox="" referrerPolicy="no-referrer" />
      {problem === 'unstyled' && <p className="sa-hint">{labels.unstyledPreview}</p>}
    </>
  )
}
