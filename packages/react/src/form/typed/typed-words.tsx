import { type AskedQuestion, typedText } from '@sandagent/core/internal'
import type { ReactElement } from 'react'

export interface TypedWordsProps {
  question: AskedQuestion
  words: string
}

/** An answer that was checked, with its unit: `250 ms`. What does not fit is shown as it was typed. */
export function TypedWords({ question, words }: TypedWordsProps): ReactElement {
  const said = typedText(question, words)
  return said === null ? (
    <q dir="auto">{words}</q>
  ) : (
    <bdi className="sa-picked">
      <span>{said}</span>
    </bdi>
  )
}
