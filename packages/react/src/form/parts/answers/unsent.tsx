import type { AskedQuestion } from '@sandagent/core'
import { type ReactElement, useRef, useState } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { entryOf, saidIn, unsentOf } from '../../state/entries.ts'
import { AnswerList } from './answer-list.tsx'

/** Entries of this page that were not sent before the question ended. They can be selected and copied. */
export function Unsent({ form }: FormPartProps): ReactElement {
  const { ask, labels, components } = form
  const list = useRef<HTMLDivElement>(null)
  const [isCopied, setCopied] = useState(false)
  const unsent = unsentOf(ask)
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

/** The entries for some questions as plain text, to copy. */
const textOf = (ask: FormPartProps['form']['ask'], questions: readonly AskedQuestion[]): string =>
  questions
    .map((question) => {
      const entry = entryOf(ask, question)
      const said = [...saidIn(question, entry), entry.notes]
      return [question.question, ...said.filter((text) => text.trim() !== '')].join('\n')
    })
    .join('\n\n')
