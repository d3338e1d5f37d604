import type { UseAskUserQuestionReturn } from '@sandagent/sdk/react'
import type { ReactElement } from 'react'
import { QuestionError } from './question-error.tsx'

/** What was asked and what was answered, to be read only. */
export function QuestionSummary({ ask }: { ask: UseAskUserQuestionReturn }): ReactElement {
  return (
    <>
      <dl className="summary">
        {ask.questions.map(({ id, question }) => (
          <div key={id}>
            <dt>{question}</dt>
            <dd>{answerTo(ask, id)}</dd>
          </div>
        ))}
      </dl>
      {ask.status === 'sent' && <QuestionError ask={ask} />}
    </>
  )
}

function answerTo({ responses, questions }: UseAskUserQuestionReturn, id: string): ReactElement | string {
  const response = responses[id]
  if (response === undefined || 'skipped' in response) return <span className="quiet">No answer</span>
  const options = questions.find((question) => question.id === id)?.options ?? []
  const labels = response.selected.map(
    (value) => options.find((o) => (o.value ?? o.label) === value)?.label ?? value,
  )
  return [...labels, ...(response.freeText?.trim() ? [`“${response.freeText}”`] : [])].join(' · ')
}
