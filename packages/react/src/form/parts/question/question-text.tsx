import { shownQuestion } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { QuestionPartProps } from '../../state/ask-form.ts'
import { Clamp } from '../clamp.tsx'

/** A question above its answer: the heading, and the text below. */
export function QuestionText({ form, question }: QuestionPartProps): ReactElement {
  const { Text } = form.components
  const { heading, body } = shownQuestion(question)
  return (
    <>
      <Text form={form} question={question} text={heading} kind="line" />
      {body.trim() !== '' && (
        <Clamp form={form}>
          <Text form={form} question={question} text={body} kind="block" />
        </Clamp>
      )}
    </>
  )
}
