import '@sandagent/sdk/react/styles.css'
import '../styles/base.css'
import './gallery.css'
import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Entry, HostedEntry } from './entry.tsx'
import type { Kind } from './kind.ts'
import { KINDS } from './kinds.ts'
import { STATES } from './states.ts'

/** The form in every state, for the kind of question and the state in the address. With calls there, those calls of the host. */
function Gallery(): ReactElement {
  const query = new URLSearchParams(location.search)
  const kindName = query.get('kind') ?? 'Single choice'
  const only = query.get('state')
  const toolCallIds = query.getAll('call')
  const kind = kindIn(query) ?? KINDS[kindName]
  const states = Object.entries(STATES).filter(
    // An approval has no parts that could perform an action.
    ([name, { act, isOfQuestions }]) =>
      (only === null || name === only) && !(kind?.subject && (act || isOfQuestions)),
  )
  if (kind && toolCallIds.length > 0) {
    const undoMs = query.has('undoMs') ? Number(query.get('undoMs')) : undefined
    return <HostedEntry kind={kind} toolCallIds={toolCallIds} undoMs={undoMs} />
  }
  return (
    <main className="gallery">
      <h1>Gallery of the question form</h1>
      {!query.has('questions') && <KindLinks current={kindName} />}
      {kind
        ? states.map(([name, state]) => (
            <Entry key={name} kindName={kindName} kind={kind} stateName={name} state={state} />
          ))
        : `There is no kind of question called “${kindName}”`}
    </main>
  )
}

function KindLinks({ current }: { current: string }): ReactElement {
  return (
    <nav aria-label="Kinds of question">
      {Object.keys(KINDS).map((name) => (
        <a
          key={name}
          href={`?kind=${encodeURIComponent(name)}`}
          aria-current={name === current ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  )
}

/** Questions that are written into the address, as JSON. The answer is sent as soon as it is complete. */
function kindIn(query: URLSearchParams): Kind | undefined {
  const questions = query.get('questions')
  return questions
    ? { questions: JSON.parse(questions), responses: {}, props: { autoSubmit: 'immediately' } }
    : undefined
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<Gallery />)
