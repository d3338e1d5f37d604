import { readQuestions } from '../question/read-questions.ts'
import type { ToolPart } from '../question/tool-part.ts'
import type { ConnectedSession } from './connection-options.ts'
import { type DraftKeeper, readKept } from './kept-draft.ts'
import { NOTHING } from './session-state.ts'

/** Keeps the entries of a session for the next page, as long as the person may have to enter them again. */
export interface KeptEntries {
  /** Shows what an earlier page kept, and keeps what is entered from now on. */
  start(): void
  /** Ends that. Another session for the question may have started. */
  stop(): void
  /** Keeps the first entry. The later ones are kept by themselves. */
  keep(): void
  /** Removes what is kept, and keeps nothing: the next person in this tab may be another one. */
  forget(): void
  /** The person may see the question: keeps entries again. */
  allow(): void
}

export function keepEntries(
  drafts: DraftKeeper | undefined,
  { getState, getSnapshot, set, subscribe }: ConnectedSession,
): KeptEntries {
  let isStarted = false
  let isKept = false
  /** Whether the host refused this person. Entries then stay on the page. */
  let isRefused = false

  const write = (): void => {
    const { part, draft, revision, view, intent, inFlight, ...state } = getState()
    isKept = !isRefused && (getSnapshot().isEditable || intent !== undefined)
    const dirty = state.dirty || inFlight !== undefined
    const sent = inFlight?.responses ?? NOTHING
    const kept = {
      asked: askedIn(part),
      askedAt: view?.askedAt,
      draft,
      revision,
      sent,
      dirty,
      intent,
    }
    drafts?.write(isKept ? kept : null)
  }
  subscribe(() => {
    if (isKept) write()
  })

  return {
    start() {
      const { part, draft, intent } = getState()
      // Not earlier: the page must first render what the server rendered.
      const restored = draft === NOTHING && !intent && readKept(drafts?.read(), askedIn(part))
      if (restored) {
        const { draft, revision, dirty, intent } = restored
        set({ draft, revision, dirty, intent, restored })
      }
      isStarted = true
      isKept = getState().draft !== NOTHING
    },
    stop() {
      isStarted = false
      isKept = false
    },
    keep() {
      const { dirty, intent } = getState()
      if (isStarted && !isKept && (dirty || intent)) write()
    },
    forget() {
      isRefused = true
      isKept = false
      drafts?.write(null)
      // The host has not confirmed that this person may see what was restored.
      if (getState().restored)
        set({ draft: NOTHING, revision: 0, dirty: false, intent: undefined, restored: undefined })
    },
    allow() {
      isKept ||= isRefused && isStarted
      isRefused = false
    },
  }
}

/** The questions of a message as a text that can be compared. */
const askedIn = (part: ToolPart): string => JSON.stringify(readQuestions(part.input))
