import { useComposerAnswer } from '@sandagent/sdk/react'
import { type FormEvent, type ReactElement, useState } from 'react'

interface ComposerProps {
  isRunning: boolean
  /** Whether the agent waits for an answer. */
  isWaiting: boolean
  onSend: (text: string) => void
  onStop: () => void
}

/** The field in which a person writes to the agent, or stops it. */
export function Composer({ isRunning, isWaiting, onSend, onStop }: ComposerProps): ReactElement {
  const [text, setText] = useState('')
  const offer = useComposerAnswer()
  const isEmpty = text.trim() === ''

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isRunning || isEmpty) return
    onSend(text)
    setText('')
  }
  const answer = (): void => {
    offer?.answerWith(text)
    setText('')
  }

  return (
    <form className="composer" onSubmit={submit}>
      <input
        aria-label="Message to the agent"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={
          isWaiting
            ? 'The agent waits for your answer above'
            : isRunning
              ? 'The agent is at work'
              : 'Give the agent a task'
        }
      />
      {offer && !isEmpty && (
        <button type="button" className="primary" onClick={answer} title={offer.question}>
          Answer with this text
        </button>
      )}
      {isRunning ? (
        <button type="button" className="plain" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button type="submit" className="primary" disabled={isEmpty}>
          Send
        </button>
      )}
    </form>
  )
}
