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

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isRunning || text.trim() === '') return
    onSend(text)
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
      {isRunning ? (
        <button type="button" className="plain" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button type="submit" className="primary" disabled={text.trim() === ''}>
          Send
        </button>
      )}
    </form>
  )
}
