import { optionTitle } from '@sandagent/core/internal'
import { type ReactElement, useState } from 'react'
import type { FooterPartProps } from '../../state/ask-form.ts'
import { entryOf, pickedIn } from '../../state/entries.ts'
import { useTimeLeft } from '../deadline.tsx'

interface SendsInProps extends FooterPartProps {
  /** In milliseconds since 1970. */
  at: number
}

/** What is sent when. People see each second; screen readers say it once. */
export function SendsIn({ form, at }: SendsInProps): ReactElement {
  const { ask, labels } = form
  const answer = ask.questions
    .flatMap((question) =>
      pickedIn(question, entryOf(ask, question)).map((option) => optionTitle(question, option)),
    )
    .join(', ')
  const text = labels.sendsIn(Math.ceil(useTimeLeft(at) / 1000), answer)
  const [first] = useState(text)
  return (
    <>
      <span className="sa-hidden">
        {first}. {labels.undo}: {labels.shortcuts.undo[0]}
      </span>
      <bdi aria-hidden="true">{text}</bdi>
    </>
  )
}
