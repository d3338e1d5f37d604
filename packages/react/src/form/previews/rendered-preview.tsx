import type { AskedQuestion } from '@sandagent/core'
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react'
import { useLate } from '../use-late.ts'
import { isQuickToRender } from './markdown-cost.ts'
import type { PreviewProps } from './preview.tsx'

const loadHtml = (): Promise<typeof import('./framed-html.ts')> => import('./framed-html.ts')
const loadMarkdown = (): Promise<typeof import('./markdown.ts')> => import('./markdown.ts')

/** What a choice would look like. */
export function RenderedPreview({ form, label, text }: PreviewProps): ReactElement {
  const name = form.labels.about(form.labels.preview, label)
  return form.previewFormat === 'html' ? (
    <HtmlPreview name={name} text={text} />
  ) : (
    <MarkdownPreview name={name} text={text} questions={form.ask.questions} />
  )
}

/** Empty until what makes it harmless is loaded, or without that. */
function HtmlPreview({ name, text }: { name: string; text: string }): ReactElement {
  const late = useLate(loadHtml)
  const html = useMemo(() => late?.framedHtml(text), [late, text])
  return <iframe className="sa-preview" title={name} sandbox="" referrerPolicy="no-referrer" srcDoc={html} />
}

interface MarkdownPreviewProps {
  name: string
  text: string
  questions: readonly AskedQuestion[]
}

/** As it is written, until the renderer is loaded, without it, and where rendering would keep the page waiting. */
function MarkdownPreview({ name, text, questions }: MarkdownPreviewProps): ReactElement {
  const markdown = useLate(loadMarkdown)
  const html = useMemo(
    () => (isQuickToRender(text, questions) ? markdown?.markdownToHtml(text) : undefined),
    [markdown, text, questions],
  )
  const box = useRef<HTMLElement>(null)
  const [isScrollable, setScrollable] = useState(false)

  // Keys scroll what the focus is in; what shows as a whole is no stop for Tab.
  useEffect(() => {
    const element = box.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() =>
      setScrollable(element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return (
    <figure
      ref={box}
      className="sa-preview"
      aria-label={name}
      dir="auto"
      {...(isScrollable && { tabIndex: 0 })}
    >
      {html === undefined ? (
        <pre>{text}</pre>
      ) : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: micromark lets no HTML of the text through
        <div dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </figure>
  )
}
