import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { PreviewProps } from '../state/ask-form.ts'
import { fillFrame } from './framed-html.ts'

export interface HtmlPreviewProps extends PreviewProps {
  name: string
  /** What is shown where the page lets nothing parse. */
  source: ReactElement
}

/** HTML of an agent in a frame. */
export function HtmlPreview({ form, text, name, source }: HtmlPreviewProps): ReactElement {
  const frame = useRef<HTMLIFrameElement>(null)
  const [problem, setProblem] = useState<'unstyled' | 'refused'>()

  useEffect(() => {
    try {
      if (frame.current) setProblem(fillFrame(frame.current, text))
    } catch {
      setProblem('refused')
    }
  }, [text])

  if (problem === 'refused') return source
  return (
    <>
      <iframe ref={frame} className="sa-preview" title={name} sandbox="" referrerPolicy="no-referrer" />
      {problem === 'unstyled' && <p className="sa-hint">{form.labels.unstyledPreview}</p>}
    </>
  )
}
