'use client'

import { type AskStatus, type ToolPart, useAskUserQuestion } from '@sandagent/sdk/react'
import type { ReactElement } from 'react'

/** What the host and the agent confirmed. */
const STATUS: Record<AskStatus, string> = {
  streaming: 'The agent is still writing…',
  waiting: 'The agent waits for you',
  saving: 'Saving…',
  sending: 'Sending…',
  sent: 'Sent. Waiting for the agent to take it…',
  received: 'Received by the agent',
  declined: 'Declined',
  expired: 'The agent stopped waiting',
  superseded: 'Answered elsewhere',
  failed: 'Not sent. What you entered is kept here',
}

/** Questions of the agent, to be answered together. */
export function QuestionForm({ part }: { part: ToolPart }): ReactElement {
  // With radio buttons, arrow keys pick: only the button sends.
  const ask = useAskUserQuestion({ part, answerEndpoint: '/api/answer', autoSubmit: false })
  const isDisabled = !ask.isWaitingForInput || ask.isSubmitting || ask.status === 'streaming'

  return (
    <form className="question" action={() => ask.submit()}>
      {ask.questions.map(({ id, question, options = [], multiSelect, allowFreeText = true, placeholder }) => {
        const response = ask.responses[id]
        const typed = response && 'freeText' in response ? response.freeText : ''
        return (
          <fieldset key={id} disabled={isDisabled}>
            <legend>{question}</legend>
            {options.map(({ label, value = label, description }) => (
              <label key={label}>
                <input
                  type={multiSelect ? 'checkbox' : 'radio'}
                  name={`${part.toolCallId} ${id}`}
                  checked={ask.isSelected(id, label)}
                  onChange={() => ask.selectAnswer(id, value)}
                />
                {label} <small>{description}</small>
              </label>
            ))}
            {allowFreeText && (
              <input
                type="text"
                aria-label={question}
                placeholder={placeholder ?? 'Your own answer'}
                value={typed}
                onChange={(event) => ask.setFreeText(id, event.target.value)}
              />
            )}
          </fieldset>
        )
      })}
      <p role="alert">
        {ask.error?.code === 'INVALID_ANSWERS' ? 'Please answer every question' : ask.error?.message}
      </p>
      {ask.isWaitingForInput && (
        <p>
          <button type="submit" disabled={isDisabled}>
            Send answer
          </button>
          <button type="button" disabled={isDisabled} onClick={() => ask.cancel()}>
            Decline
          </button>
        </p>
      )}
      <p role="status">{STATUS[ask.status]}</p>
    </form>
  )
}
