import '@sandagent/sdk/react/styles.css'
import '../styles/base.css'
import './gallery.css'
import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Entry, HostedEntry } from './entry.tsx'
import type { Kind } from './kind.ts'
import { KINDS } from './kinds.ts'
import { STATES } from './states.ts'
import { THEMES } from './themes.ts'

const query = new URLSearchParams(location.search)

/**
 * The form in every state, for the kind of question, the state, the looks and the direction in the address. With calls there,
 * those calls of the host.
 */
function Gallery(): ReactElement {
  const kindName = query.get('kind') ?? 'Single choice'
  const only = query.get('state')
  const toolCallIds = query.getAll('call')
  const kind = kindIn(query) ?? KINDS[kindName]
  const states = Object.entries(STATES).filter(
    // An approval has no parts that could perform an action.
    ([name, { act, isOfQuestions }]) =>
      (only === null || name === only) && !(kind?.subject && (act || isOfQuestions)),
  )
  const undoMs = query.has('undoMs') ? Number(query.get('undoMs')) : undefined
  if (kind && toolCallIds.length > 0)
    return <HostedEntry kind={kind} toolCallIds={toolCallIds} undoMs={undoMs} />
  return (
    <main className="gallery">
      <h1>Gallery of the question form</h1>
      {!query.has('questions') && (
        <>
          <Links label="Kinds of question" name="kind" all={Object.keys(KINDS)} current={kindName} />
          <Links label="Looks" name="theme" all={Object.keys(THEMES)} current={themeName} />
          <Links label="Directions" name="dir" all={['ltr', 'rtl']} current={query.get('dir') ?? 'ltr'} />
        </>
      )}
      {kind
        ? states.map(([name, state]) => (
            <Entry
              key={name}
              kindName={kindName}
              kind={inDirection(kind)}
              stateName={name}
              state={{ undoMs, ...state }}
            />
          ))
        : `There is no kind of question called “${kindName}”`}
    </main>
  )
}

const inDirection = (kind: Kind): Kind => (query.get('dir') === 'rtl' ? { ...kind, dir: 'rtl' } : kind)

interface LinksProps {
  label: string
  /** The name in the address. */
  name: string
  all: string[]
  current: string
}

/** Links that change one thing of the address. */
const Links = ({ label, name, all, current }: LinksProps): ReactElement => (
  <nav aria-label={label}>
    {all.map((each) => (
      <a
        key={each}
        href={`?${new URLSearchParams({ ...Object.fromEntries(query), [name]: each })}`}
        aria-current={each === current ? 'page' : undefined}
      >
        {each}
      </a>
    ))}
  </nav>
)

/** Questions that are written into the address, as JSON. The answer is sent as soon as it is complete. */
function kindIn(query: URLSearchParams): Kind | undefined {
  const questions = query.get('questions')
  return questions
    ? { questions: JSON.parse(questions), responses: {}, props: { autoSubmit: 'immediately' } }
    : undefined
}

const themeName = query.get('theme') ?? 'The demo’s'
const theme = THEMES[themeName]
const root = document.getElementById('root')
if (theme?.page) document.documentElement.className = theme.page
await theme?.load()
if (root) createRoot(root).render(<Gallery />)
