// The page of own-form.slow.test.ts: a form of one's own, for the call that the address names.
import { type AutoSubmit, useAskUserQuestion, useFields } from '@sandagent/react'
import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'

const address = new URLSearchParams(location.search)

function OwnForm({ toolCallId }: { toolCallId: string }): ReactElement {
  const autoSubmit = (address.get('autoSubmit') as AutoSubmit | null) ?? false
  const ask = useAskUserQuestion({ toolCallId, autoSubmit })
  const { choice, textField } = useFields(ask)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        ask.submit()
      }}
    >
      {ask.questions.map((question) => (
        <fieldset key={question.id}>
          <legend>{question.question}</legend>
          {question.options?.map((option) => (
            <label key={option.label}>
              <input {...choice(question, option)} /> {option.label}
            </label>
          ))}
          <input {...textField(question)} />
        </fieldset>
      ))}
      <button type="submit">Send</button>
      <p role="status">{ask.error?.message ?? ask.status}</p>
    </form>
  )
}

const place = document.createElement('main')
document.body.append(place)
createRoot(place).render(<OwnForm toolCallId={address.get('call') ?? ''} />)
