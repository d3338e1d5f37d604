import { encodeAnswers } from '../answer/answer-text.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { AskError, type AskErrorCode } from '../lib/errors.ts'
import { readQuestions } from '../question/read-questions.ts'
import type { ToolPart } from '../question/tool-part.ts'
import type { PresentPerson } from '../record/presence.ts'
import { isQuestionView, type QuestionView } from '../record/question-view.ts'
import { type DraftKeeper, isStored, readKept } from './kept-draft.ts'
import { type PageAnswer, pageAnswerOf } from './page-answer.ts'
import { stateWithView } from './receive.ts'
import { type AskSnapshot, isEnded, NOTHING, type SessionState } from './session-state.ts'

/** How a session reaches the host. */
export interface AnswerTransport {
  /**
   * Stores a draft or an answer. Resolves to its revision if the host reports one.
   *
   * @throws AskError the host's rejection with its code, or `UNREACHABLE`. The session uses the view in `facts.question`.
   */
  send(answer: PageAnswer): Promise<{ revision?: number | undefined }>
  /**
   * Reports the question now and after every change, until the returned function is called.
   *
   * @param onRefused called when the host does not let this person see the question
   * @param onPeople called when it changes who else has the question open, unless a view says it
   */
  subscribe?:
    | ((
        toolCallId: string,
        onView: (view: QuestionView) => void,
        onRefused?: () => void,
        onPeople?: (people: readonly PresentPerson[]) => void,
      ) => () => void)
    | undefined
}

/** A session reads each option whenever it needs it, so a getter may return the latest value. */
export interface HostConnectionOptions {
  transport: AnswerTransport
  /** How long typing must pause before the draft is saved. */
  draftDelayMs: number
  /** Called when the host has stored a draft or the answer, with all entries as text. */
  onAnswer?: ((answer: PageAnswer) => void) | undefined
  /** Keeps entries that the host does not know yet, so that they survive a reload of the page. */
  drafts?: DraftKeeper | undefined
  clock?: Clock | undefined
}

/** What a session needs from its connection to the host. */
export interface HostConnection {
  /** Stores what the session's goal says: at once, or when typing pauses. */
  store(isTyping: boolean): void
  /** Saves now what waits for a pause in typing. */
  save(): void
  /** See `AskSession.start`. */
  start(): () => void
}

/** What the connection needs from its session. */
export interface ConnectedSession {
  getState(): SessionState
  getSnapshot(): AskSnapshot
  set(change: Partial<SessionState>): void
  /** Calls back after every change. The returned function ends this. */
  subscribe(listener: () => void): () => void
}

/** Stores the entries of a session, keeps them through a reload, and shows the session what the host knows. */
export function connectToHost(
  options: HostConnectionOptions,
  { getState, getSnapshot, set, subscribe }: ConnectedSession,
): HostConnection {
  const { drafts, clock = systemClock } = options
  let cancelDelay: (() => void) | undefined
  let sending = NOTHING
  let isStarted = false
  let isKept = false
  /** Whether the host refused this person. Entries then stay on the page, but are not kept for the next one. */
  let isRefused = false
  /** Answers without a reply: the host may have stored each of them. */
  const lost: PageAnswer[] = []

  /** Keeps what was entered here, as long as the person may have to enter it again. */
  const keep = (): void => {
    const { isEditable, status } = getSnapshot()
    isKept = !isRefused && (isEditable || status === 'sending')
    const { part, draft, revision, view, ...state } = getState()
    const dirty = state.dirty || sending !== NOTHING
    const kept = { asked: askedIn(part), askedAt: view?.askedAt, draft, revision, sent: sending, dirty }
    drafts?.write(isKept ? kept : null)
  }
  subscribe(() => {
    if (isKept) keep()
  })

  /** Removes the kept draft: the next person in this tab may be another one. */
  const forget = (): void => {
    isRefused = true
    isKept = false
    drafts?.write(null)
    // The host has not confirmed that this person may see the restored draft.
    if (getState().restored) set({ draft: NOTHING, revision: 0, dirty: false, restored: undefined })
  }

  const save = (): void => {
    if (!cancelDelay) return
    cancelDelay()
    cancelDelay = undefined
    void send()
  }

  /** Sends one request at a time, so that no answer overtakes another. Later entries follow in the next request. */
  const send = async (): Promise<void> => {
    const { goal, inFlight, failed, error } = getState()
    if (!goal || inFlight || isEnded(getSnapshot().status)) return
    const answer = pageAnswerOf(getState(), getSnapshot(), goal)
    sending = answer.responses
    set({ goal: undefined, inFlight: goal, dirty: false, failed: false, error: failed ? undefined : error })
    try {
      const { revision = 0 } = await options.transport.send(answer)
      const stored = goal === 'pending' ? getState().stored : goal
      sending = NOTHING
      isKept ||= isRefused && isStarted
      isRefused = false
      set({ inFlight: undefined, stored, revision: Math.max(getState().revision, revision) })
    } catch (cause) {
      // A failed draft does not delay an answer that was submitted meanwhile.
      const next = getState().goal
      fail(cause, answer)
      return next && next !== 'pending' ? send() : undefined
    }
    void send()
    const { questions, responses } = answer
    if (goal !== 'declined') options.onAnswer?.({ ...answer, answers: encodeAnswers(questions, responses) })
  }

  const fail = (cause: unknown, answer: PageAnswer): void => {
    const error =
      cause instanceof AskError
        ? cause
        : new AskError('UNREACHABLE', 'The answer could not be sent', { cause })
    const { code, facts } = error
    if (REFUSALS.includes(code)) forget()
    const view = isQuestionView(facts.question) ? facts.question : undefined
    sending = NOTHING
    // The answer was sent before a reload and arrived before this draft: the draft says the same.
    const own = answer.status === 'pending' ? [...lost, answer] : lost
    // The stored answer is this person's own. Later changes were too late for it.
    if (code === 'CONFLICT' && view && own.some((answer) => isStored(answer, view)))
      set({ inFlight: undefined })
    else {
      if (code === 'UNREACHABLE' && answer.status !== 'pending') lost.push(answer)
      const refused = code === 'CONFLICT' ? 'superseded' : code === 'GONE' ? 'expired' : undefined
      const goal = getState().goal ?? answer.status
      set({ inFlight: undefined, goal, dirty: true, refused, failed: true, error })
    }
    if (view) receive(view)
  }

  const receive = (view: QuestionView): void => {
    const { restored } = getState()
    set(stateWithView(getState(), getSnapshot(), view, clock.now()))
    if (restored && getState().dirty && getSnapshot().isEditable) saveAgain()
  }

  const store = (isTyping: boolean): void => {
    if (isStarted && !isKept && getState().dirty) keep()
    cancelDelay?.()
    cancelDelay = isTyping ? clock.after(options.draftDelayMs, save) : undefined
    if (!cancelDelay) void send()
  }

  const saveAgain = (): void => {
    set({ goal: 'pending', failed: false, error: undefined })
    store(false)
  }

  return {
    save,
    store,
    start() {
      const { part, draft } = getState()
      // Not earlier: the page must first render what the server rendered.
      const restored = draft === NOTHING && readKept(drafts?.read(), askedIn(part))
      if (restored) {
        const { draft, revision, dirty } = restored
        set({ draft, revision, dirty, restored })
      }
      isStarted = true
      isKept = getState().draft !== NOTHING
      const onView = (view: QuestionView): void => {
        isRefused = false
        receive(view)
        const { goal, error } = getState()
        // The host can be reached again. A failed answer waits for the person's retry.
        if (goal === 'pending' && error?.code === 'UNREACHABLE') saveAgain()
      }
      const stop = options.transport.subscribe?.(part.toolCallId, onView, forget, (people) => set({ people }))
      return () => {
        stop?.()
        save()
        // Another session for the question may have started.
        isStarted = false
        isKept = false
      }
    },
  }
}

/** The codes for a person who may not see the question, or no longer. */
const REFUSALS: readonly AskErrorCode[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'LINK_INVALID', 'LINK_EXPIRED']

/** The questions of a message as a text that can be compared. */
const askedIn = (part: ToolPart): string => JSON.stringify(readQuestions(part.input))
