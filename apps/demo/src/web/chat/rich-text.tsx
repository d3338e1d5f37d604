import type { ReactElement, ReactNode } from 'react'

/** Text with a little Markdown: fenced code, code in a line, and paragraphs. */
export function RichText({ text }: { text: string }): ReactElement {
  const parts = text.split(/```[^\n]*\n([\s\S]*?)(?:\n?```|$)/)
  return (
    <div className="rich-text">
      {parts.map((part, index) => (index % 2 ? code(part, index) : prose(part, index)))}
    </div>
  )
}

const code = (text: string, key: number): ReactElement => (
  <pre key={key}>
    <code>{text}</code>
  </pre>
)

const prose = (text: string, key: number): ReactNode[] =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    // biome-ignore lint/suspicious/noArrayIndexKey: text only grows at its end
    .map((paragraph, index) => <p key={`${key}-${index}`}>{paragraph.trim().split('`').map(inline)}</p>)

const inline = (text: string, index: number): ReactNode =>
  index % 2 ? <code key={index}>{text}</code> : text
