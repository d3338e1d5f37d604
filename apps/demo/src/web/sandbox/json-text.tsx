import { type ReactElement, type ReactNode, useEffect, useRef } from 'react'

const KEY = /^(\s*)("(?:[^"\\]|\\.)*")(:)/

/** The space above the line that is scrolled to, in pixels. */
const PADDING = 8

interface JsonTextProps {
  text: string
  /** The outermost key that is scrolled to. */
  showKey?: string | undefined
}

/** The JSON of a file, with highlighted keys. */
export function JsonText({ text, showKey }: JsonTextProps): ReactElement {
  const ref = useRef<HTMLPreElement>(null)
  const lines = text.trimEnd().split('\n')
  const shown = showKey === undefined ? -1 : lines.findIndex((line) => line.startsWith(`  "${showKey}":`))

  useEffect(() => {
    const line = ref.current?.querySelectorAll('span')[shown]
    if (line) ref.current?.scrollTo({ top: line.offsetTop - ref.current.offsetTop - PADDING })
  }, [shown])

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <pre className="json" tabIndex={0} ref={ref}>
      <code>{lines.map(line)}</code>
    </pre>
  )
}

function line(text: string, index: number): ReactNode {
  const [match = '', indent, key] = KEY.exec(text) ?? []
  return (
    <span key={index}>
      {indent}
      {key && <b>{key}</b>}
      {key && ':'}
      {text.slice(match.length)}
      {'\n'}
    </span>
  )
}
