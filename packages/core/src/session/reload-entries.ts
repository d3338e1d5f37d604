import { unsealed } from '../answer/draft.ts'
import { type AskError, codesOf } from '../lib/errors.ts'
import { askedIn } from '../question/read-questions.ts'
import type { ConnectedSession } from './connection-options.ts'
import { type DraftKeeper, readKept } from './reload-draft.ts'
import { NOTHING } from './session-state.ts'
import { forgotten, restored } from './transitions.ts'

/** Keeps the entries of a session for the next page, as long as the person may have to enter them again. */
export interface KeptEntries {
  /** Shows what an earlier page kept, and keeps what is entered from now on. */
  start(): void
  /** Ends that. Another session for the question may have started. */
  stop(): void
  /**
   * The host refused this. If the person may not see the question, removes what is kept, and keeps nothing: the next person in
   * this tab may be another one.
   */
  refuse(error: AskError): void
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

  subscribe(() => {
    const { part, view, entries, revision, draft, answer, request } = getState()
    const { intent } = answer
    const dirty = draft.kind !== 'clean' || request !== undefined
    if (!isStarted || isRefused || !(isKept || dirty)) return
    isKept = getSnapshot().isEditable || intent !== undefined
    const sent = unsealed(request?.responses ?? NOTHING)
    const asked = askedIn(part.input)
    const kept = { asked, askedAt: view?.askedAt, draft: unsealed(entries), revision, sent, dirty, intent }
    drafts?.write(isKept ? kept : null)
  })

  return {
    start() {
      const { part, entries, answer } = getState()
      // Not earlier: the page must first render what the server rendered.
      const isNew = entries === NOTHING && !answer.intent
      const kept = isNew && readKept(drafts?.read(), askedIn(part.input))
      if (kept) set(restored(kept))
      isStarted = true
      isKept = getState().entries !== NOTHING
    },
    stop() {
      isStarted = false
    },
    refuse({ code }) {
      if (![...codesOf(401), ...codesOf(403)].includes(code)) return
      isRefused = true
      drafts?.write(null)
      set(forgotten(getState()))
    },
    allow() {
      isRefused = false
    },
  }
}
