import type { ReactElement } from 'react'

const SUGGESTION = 'Create a small project that greets people'

const STEPS = [
  ['You give a task.', 'An agent starts in a sandbox: a process of its own, in a folder of its own.'],
  ['It asks when you should decide.', 'Its question is a file in that folder, and a card in this chat.'],
  ['You answer, and it goes on.', 'Your answer is a file too. The sandbox pane shows both.'],
] as const

/** What new users see: an explanation, and one button. */
export function Welcome({ onPick }: { onPick: (text: string) => void }): ReactElement {
  return (
    <section className="welcome">
      <h2>An agent that asks before it guesses</h2>
      <ol>
        {STEPS.map(([title, text]) => (
          <li key={title}>
            <strong>{title}</strong> {text}
          </li>
        ))}
      </ol>
      <button type="button" className="suggestion" onClick={() => onPick(SUGGESTION)}>
        {SUGGESTION}
        <span aria-hidden="true"> →</span>
      </button>
      <p className="quiet">
        The agent follows a script instead of a model, so nothing leaves this machine. Everything else is
        real: the process, the files, the questions and the commands that it runs.
      </p>
    </section>
  )
}
