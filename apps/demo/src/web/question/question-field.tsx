import type { AskedQuestion, UseAskUserQuestionReturn } from '@sandagent/sdk/react'
import { type ReactElement, useId, useRef } from 'react'
import { Option } from './option.tsx'

interface QuestionFieldProps {
  question: AskedQuestion
  ask: UseAskUserQuestionReturn
  callId: string
  isDisabled: boolean
}

/** One question: its choices, and a field for words of one's own. */
export function QuestionField({ question, ask, callId, isDisabled }: QuestionFieldProps): ReactElement {
  const { id, header, options = [], multiSelect = false, allowFreeText = true } = question
  const hintId = useId()
  const isMissing = ask.error?.faults.some(({ path }) => `${path}.`.startsWith(`responses.${id}.`)) ?? false
  // Arrow keys move and check a radio; only a pointer's pick may send it.
  const isPointer = useRef(false)

  const pick = (value: string): void => {
    ask.selectAnswer(id, value, multiSelect, { autoSubmit: isPointer.current })
    isPointer.current = false
  }

  return (
    <fieldset
      className="question"
      disabled={isDisabled}
      data-missing={isMissing}
      aria-describedby={hintId}
      onPointerDown={() => {
        isPointer.current = true
      }}
      onKeyDown={() => {
        isPointer.current = false
      }}
    >
      <legend>
        {question.question}
        {header && (
          <span className="chip" aria-hidden="true">
            {header}
          </span>
        )}
      </legend>
      <p className="hint" id={hintId}>
        {isMissing ? 'This needs an answer' : hintFor(question, ask.questions)}
      </p>
      {options.map((option) => (
        <Option
          key={option.label}
          option={option}
          name={`${callId}-${id}`}
          type={multiSelect ? 'checkbox' : 'radio'}
          isChecked={ask.isSelected(id, option.label)}
          onPick={pick}
        />
      ))}
      {allowFreeText && (
        <input
          type="text"
          className="own-answer"
          aria-label={options.length > 0 ? `Your own answer to: ${question.question}` : question.question}
          placeholder={
            question.placeholder ?? (options.length > 0 ? 'Or type your own answer' : 'Type your answer')
          }
          value={typedAnswer(ask, id)}
          onChange={(event) => ask.setFreeText(id, event.target.value)}
        />
      )}
    </fieldset>
  )
}

function hintFor({ multiSelect, options, required = true }: AskedQuestion, all: AskedQuestion[]): string {
  const sendsItself = all.every((question) => question.options && !question.multiSelect)
  const how = multiSelect ? 'Pick any number' : options ? 'Pick one' : 'In your own words'
  if (!required) return `${how}, or leave it`
  return sendsItself && all.length === 1 ? `${how}: a click sends it` : how
}

function typedAnswer({ responses }: UseAskUserQuestionReturn, id: string): string {
  const response = responses[id]
  return response !== undefined && 'freeText' in response ? (response.freeText ?? '') : ''
}
