import type { ReactElement } from 'react'
import type { Overview } from '../../shared/api.ts'

const AGENTS = {
  claude: {
    suggestion: 'Create a small project that greets people. Ask me what it should look like',
    note: 'The agent is Claude Code. It asks before it changes a file or runs a command.',
  },
  scripted: {
    suggestion: 'Create a small project that greets people',
    note: 'The agent follows a script instead of a model, so nothing leaves this machine. Everything else is real: the process, the files, the questions and the commands that it runs.',
  },
} as const

const STEPS = [
  ['You give a task.', 'An agent starts in a sandbox: a process of its own, in a folder of its own.'],
  ['It asks when you should decide.', 'Its question is a file in that folder, and a card in this chat.'],
  ['You answer, and it goes on.', 'Your answer is a file too. The sandbox pane shows both.'],
] as const

interface WelcomeProps {
  agent: Overview['agent']
  onPick: (text: string) => void
}

/** What new users see: an explanation, and one button. */
export function Welcome({ agent, onPick }: WelcomeProps): ReactElement {
  const { suggestion, note } = AGENTS[agent]
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
      <button type="button" className="suggestion" onClick={() => onPick(suggestion)}>
        {suggestion}
        <span aria-hidden="true"> →</span>
      </button>
      <p className="quiet">{note}</p>
    </section>
  )
}
