import type { Question, QuestionResponse, ToolPart } from '@sandagent/core'
import type { ReactElement } from 'react'
import { type UseAskUserQuestionOptions, useAskUserQuestion } from '../../src/react/index.ts'

export const LANGUAGE: Question = {
  question: 'Which language?',
  options: [{ label: 'TypeScript' }, { label: 'Python' }],
}
export const LICENCE: Question = {
  question: 'Which licence?',
  options: [{ label: 'MIT' }, { label: 'Apache-2.0' }],
}
export const FEATURES: Question = {
  question: 'Which features?',
  options: [{ label: 'Tests' }, { label: 'README, with usage' }],
  multiSelect: true,
}

let calls = 0

/** A part that asks, with a tool call id of its own. */
export const partAsking = (...questions: Question[]): ToolPart => ({
  type: 'dynamic-tool',
  toolName: 'AskUserQuestion',
  toolCallId: `call-${++calls}`,
  state: 'input-available',
  input: { questions },
})

/** The least that shows a question with the hook. */
export function QuestionCard(options: UseAskUserQuestionOptions): ReactElement {
  const ask = useAskUserQuestion(options)
  return (
    <section>
      {ask.questions.map(({ id, question, options: choices = [], multiSelect = false }) => (
        <fieldset key={id} disabled={!ask.isWaitingForInput}>
          <legend>{question}</legend>
          {choices.map(({ label }) => (
            <label key={label}>
              <input
                type={multiSelect ? 'checkbox' : 'radio'}
                name={id}
                checked={ask.isSelected(question, label, multiSelect)}
                onChange={() => ask.selectAnswer(question, label, multiSelect)}
              />
              {label}
            </label>
          ))}
          <input
            aria-label={`Own answer: ${question}`}
            value={typedIn(ask.responses[id])}
            onChange={(e) => ask.setFreeText(id, e.target.value)}
          />
        </fieldset>
      ))}
      <button type="button" onClick={() => ask.submit()}>
        Submit
      </button>
      <button type="button" onClick={() => ask.cancel()}>
        Decline
      </button>
      <button type="button" onClick={ask.retry}>
        Try again
      </button>
      <p role="status">{ask.status}</p>
      <p role="alert">{ask.error?.message}</p>
      <p data-testid="answers">{JSON.stringify(ask.getAnswersMap())}</p>
      <p data-testid="entered">{JSON.stringify(ask.entered)}</p>
      <p data-testid="unauthorized">{`${ask.unauthorized}`}</p>
      <p data-testid="by">{ask.answeredBy}</p>
    </section>
  )
}

const typedIn = (response: QuestionResponse | undefined): string =>
  response && 'freeText' in response ? (response.freeText ?? '') : ''
