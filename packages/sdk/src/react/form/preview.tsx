import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { AskForm } from './ask-form.ts'

/** Nothing is loaded and nothing runs: pictures have to come along, and styles too. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

interface PreviewProps {
  form: AskForm
  label: string
  text: string
}

/** What a choice would look like. */
export function Preview({ form, label, text }: PreviewProps): ReactElement {
  const name = form.labels.previewOf(label)
  if (form.previewFormat === 'html')
    return (
      <iframe
        className="sa-preview"
        title={name}
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={`<meta http-equiv="Content-Security-Policy" content="${POLICY}">${text}`}
      />
    )
  return <MarkdownPreview name={name} text={text} />
}

/** As it is written, until the renderer is loaded. */
function MarkdownPreview({ name, text }: { name: string; text: string }): ReactElement {
  const [html, setHtml] = useState<string>()
  const box = useRef<HTMLElement>(null)
  const [isScrollable, setScrollable] = useState(false)

  useEffect(() => {
    let isHere = true
    import('./markdown.ts').then(
      ({ markdownToHtml }) => isHere && setHtml(markdownToHtml(text)),
      // Without the renderer, the text is shown as it is.
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [text])
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
