import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { AskLabels } from '../labels/ask-labels.ts'
import { framedHtml } from './framed-html.ts'
import { allowsInlineStyles, trust } from './page-policy.ts'

interface HtmlPreviewProps {
  labels: AskLabels
  name: string
  html: string
}

const HAS_STYLES = /<style|\sstyle\s*=/i

/** HTML of an agent in a frame. Empty on a server, which cannot make HTML harmless. */
export function HtmlPreview({ labels, name, html }: HtmlPreviewProps): ReactElement {
  const frame = useRef<HTMLIFrameElement>(null)
  const [problem, setProblem] = useState<'unstyled' | 'refused'>()

  useEffect(() => {
    if (!frame.current) return
    try {
      frame.current.srcdoc = trust(framedHtml(html, trust))
      setProblem(HAS_STYLES.test(html) && !allowsInlineStyles() ? 'unstyled' : undefined)
    } catch {
      setProblem('refused')
    }
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
