import {
  type AnswerTransport,
  type AskForm,
  AskUserQuestion,
  englishLabels,
  type FormPartProps,
  type QuestionView,
  ToolApproval,
  type ToolPart,
} from '@sandagent/sdk/react'
import { createContext, type ReactElement, useContext, useEffect, useMemo, useRef } from 'react'
import type { Kind } from './kind.ts'
import type { State } from './states.ts'

interface EntryProps {
  kindName: string
  kind: Kind
  stateName: string
  state: State
}

interface HostedEntryProps {
  kind: Kind
  toolCallIds: readonly string[]
  undoMs: number | undefined
}

/** A form for each of these calls that a real host knows, at `/api/answer`. Several take the keys of the page, as in a chat. */
export function HostedEntry({ kind, toolCallIds, undoMs }: HostedEntryProps): ReactElement {
  const keys = toolCallIds.length > 1 ? 'page' : 'form'
  return (
    <main className="gallery" dir={kind.dir}>
      <h1>Gallery of the question form</h1>
      {toolCallIds.map((toolCallId) => {
        const part = partOf(toolCallId, kind)
        if (kind.subject) return <ToolApproval key={toolCallId} part={part} />
        return <AskUserQuestion key={toolCallId} part={part} undoMs={undoMs} keys={keys} {...kind.props} />
      })}
    </main>
  )
}

const partOf = (toolCallId: string, { questions }: Kind): ToolPart => ({
  type: 'dynamic-tool',
  toolName: 'AskUserQuestion',
  toolCallId,
  state: 'input-available',
  input: { questions },
})

/** One form, with a host for this entry alone. */
export function Entry({ kindName, kind, stateName, state }: EntryProps): ReactElement {
  const toolCallId = `${kindName} ${stateName}`
  const part = { ...partOf(toolCallId, kind), ...state.part }
  const transport = useMemo(() => hostOf(toolCallId, kind, state), [toolCallId, kind, state])
  // Several entries on a page show the same question.
  const labels = { about: (what: string, which: string) => `${what}: ${which} (${stateName})` }
  return (
    <article dir={kind.dir} data-entry={stateName}>
      <h2>{stateName}</h2>
      {kind.subject ? (
        <ToolApproval part={part} transport={transport} labels={labels} />
      ) : (
        <Act value={(form) => state.act?.(form, kind.responses)}>
          <AskUserQuestion
            part={part}
            transport={transport}
            undoMs={state.undoMs}
            components={{ Title: ActingTitle }}
            labels={labels}
            {...kind.props}
          />
        </Act>
      )}
    </article>
  )
}

function hostOf(
  toolCallId: string,
  { questions, responses, subject, grants }: Kind,
  { view, send }: State,
): AnswerTransport {
  const viewWith = (more: Partial<QuestionView>): QuestionView => ({
    toolCallId,
    kind: subject ? 'approval' : 'question',
    ...(subject && { subject }),
    ...grants,
    state: 'open',
    questions: questions.map((question, index) => ({ ...question, id: question.id ?? `q${index + 1}` })),
    responses,
    revision: 0,
    declined: false,
    deadline: null,
    remainingMs: null,
    ...more,
  })
  let revision = 1
  const store = send?.(viewWith) ?? (async () => ({ revision: ++revision }))
  return {
    send(answer) {
      // For tests.
      dispatchEvent(new CustomEvent('gallery-send', { detail: answer }))
      return store(answer)
    },
    subscribe(_, onView) {
      onView(viewWith({ responses: {}, ...view?.(responses) }))
      return () => {}
    },
  }
}

/** The action of the state on its form. */
const Act = createContext<(form: AskForm) => void>(() => {})

/** A title that performs this action once. */
function ActingTitle({ form }: FormPartProps): ReactElement {
  const act = useContext(Act)
  const hasActed = useRef(false)
  useEffect(() => {
    if (hasActed.current || !form.ask.isEditable) return
    hasActed.current = true
    act(form)
  })
  return <span>{form.ask.isWaitingForInput ? englishLabels.asks : englishLabels.asked}</span>
}
