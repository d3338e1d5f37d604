import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { AskForm } from '../state/ask-form.ts'
import { framedHtml } from './framed-html.ts'
import { isQuickToRender } from './markdown-cost.ts'

export interface PreviewProps {
  form: AskForm
  label: string
  text: string
}

/** What a choice would look like. */
export function Preview({ form, label, text }: PreviewProps): ReactElement {
  const name = form.labels.about(form.labels.preview, label)
  return form.previewFormat === 'html' ? (
    <HtmlPreview name={name} text={text} />
  ) : (
    <MarkdownPreview name={name} text={text} isRendered={isQuickToRender(text, form.ask.questions)} />
  )
}

/** Empty on a server, which cannot make HTML harmless. */
function HtmlPreview({ name, text }: { name: string; text: string }): ReactElement {
  const [html, setHtml] = useState<string>()
  useEffect(() => setHtml(framedHtml(text)), [text])
  return <iframe className="sa-preview" title={name} sandbox="" referrerPolicy="no-referrer" srcDoc={html} />
}

interface MarkdownPreviewProps {
  name: string
  text: string
  isRendered: boolean
}

/** Shows the source until the renderer is loaded, and where rendering would freeze the page. */
function MarkdownPreview({ name, text, isRendered }: MarkdownPreviewProps): ReactElement {
  const html = useMarkdown(isRendered ? text : undefined)
  const box = useRef<HTMLElement>(null)
  const [isScrollable, setScrollable] = useState(false)

  // Only what scrolls needs the focus: keys scroll the element that has it.
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

/** The HTML of a Markdown text, once the renderer is loaded: it is the one file that a page loads on demand. */
function useMarkdown(text: string | undefined): string | undefined {
  const [rendered, setRendered] = useState<{ text: string; html: string }>()
  useEffect(() => {
    if (text === undefined) return
    let isGone = false
    import('./markdown.ts').then(
      ({ markdownToHtml }) => isGone || setRendered({ text, html: markdownToHtml(text) }),
      () => {}, // Without the renderer the source stays.
    )
    return () => {
      isGone = true
    }
  }, [text])
  return rendered?.text === text ? rendered?.html : undefined
}
