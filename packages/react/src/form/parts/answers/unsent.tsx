import { type ReactElement, useRef, useState } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { textOf, unsentOf } from '../../state/entries.ts'
import { AnswerList } from './answer-list.tsx'

/** Entries of this page that were not sent before the question ended. They can be selected and copied. */
export function Unsent({ form }: FormPartProps): ReactElement | null {
  const { ask, labels, components } = form
  const list = useRef<HTMLDivElement>(null)
  const [isCopied, setCopied] = useState(false)
  const unsent = unsentOf(ask)
  if (unsent.length === 0) return null
  const own = { ...ask, responses: ask.entered }
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(textOf(own, unsent))
      setCopied(true)
    } catch {
      // Browsers refuse the clipboard on pages without https. The person then copies what is selected.
      if (list.current) getSelection()?.selectAllChildren(list.current)
    }
  }
  return (
    <details className="sa-unsent" open>
      <summary>{labels.unsent}</summary>
      <div ref={list}>
        <AnswerList form={{ ...form, ask: own }} questions={unsent} />
      </div>
      <components.Button onClick={copy}>
        <span aria-live="polite">{isCopied ? labels.copied : labels.copy}</span>
      </components.Button>
    </details>
  )
}
