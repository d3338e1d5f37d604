import { encodeAnswers } from '../answer/answer-text.ts'
import type { Draft } from '../answer/draft.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { AskError, type AskErrorCode } from '../lib/errors.ts'
import { readQuestions } from '../question/read-questions.ts'
import type { ToolPart } from '../question/tool-part.ts'
import { isQuestionView, type QuestionView } from '../record/question-view.ts'
import { type DraftKeeper, isAskedAnew, isOutdated, isStored, readKept } from './kept-draft.ts'
import { type AskSnapshot, isEnded, NOTHING, type SessionState } from './session-state.ts'
import { type Submission, submissionOf } from './submission.ts'

/** How a session reaches the host. */
export interface AnswerTransport {
  /**
   * Stores a draft or an answer. Resolves to its revision if the host reports one.
   *
   * @throws AskError the host's rejection with its code, or `UNREACHABLE`. The session takes over a view under `facts.question`.
   */
  send(submission: Submission): Promise<{ revision?: number | undefined }>
  /**
   * Reports the question now and after every change, until the returned function is called.
   *
   * @param onRefused called when the host does not let this person see the question
   */
  subscribe?:
    | ((toolCallId: string, onView: (view: QuestionView) => void, onRefused?: () => void) => () => void)
    | undefined
}

/** A session reads each option whenever it needs it, so a getter may return the latest value. */
export interface HostConnectionOptions {
  transport: AnswerTransport
  /** How long typing must pause before the draft is saved. */
  draftDelayMs: number
  /** Called when the host has stored a draft or the answer, with all entries as text. */
  onAnswer?: ((submission: Submission) => void) | undefined
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
  /** Whether the host turned this person away: what was entered stays on the page, but not behind it. */
  let isRefused = false
  /** Answers whose replies never came: each may have been stored all the same. */
  const lost: Submission[] = []

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

  /** The next person in this tab may be another one. */
  const forget = (): void => {
    isRefused = true
    isKept = false
    drafts?.write(null)
    // It was kept by somebody whom the host has not shown the question since.
    if (getState().restored) set({ draft: NOTHING, revision: 0, dirty: false, restored: undefined })
  }

  const save = (): void => {
    if (!cancelDelay) return
    cancelDelay()
    cancelDelay = undefined
    void send()
  }

  /** One request at a time; what was entered meanwhile follows as one more, so that no answer overtakes another. */
  const send = async (): Promise<void> => {
    const { goal, inFlight, failed, error } = getState()
    if (!goal || inFlight || isEnded(getSnapshot().status)) return
    const submission = submissionOf(getState(), getSnapshot(), goal)
    sending = submission.responses
    set({ goal: undefined, inFlight: goal, dirty: false, failed: false, error: failed ? undefined : error })
    try {
      const { revision = 0 } = await options.transport.send(submission)
      const stored = goal === 'pending' ? getState().stored : goal
      sending = NOTHING
      isKept ||= isRefused && isStarted
      isRefused = false
      set({ inFlight: undefined, stored, revision: Math.max(getState().revision, revision) })
    } catch (cause) {
      // A draft that failed does not hold up the answer that was submitted meanwhile.
      const next = getState().goal
      fail(cause, submission)
      return next && next !== 'pending' ? send() : undefined
    }
    void send()
    const { questions, responses } = submission
    if (goal !== 'declined')
      options.onAnswer?.({ ...submission, answers: encodeAnswers(questions, responses) })
  }

  const fail = (cause: unknown, submission: Submission): void => {
    const error =
      cause instanceof AskError
        ? cause
        : new AskError('UNREACHABLE', 'The answer could not be sent', { cause })
    const { code, facts } = error
    if (REFUSALS.includes(code)) forget()
    const view = isQuestionView(facts.question) ? facts.question : undefined
    sending = NOTHING
    // A draft that the answer says already: it was sent before a reload, and overtook what was saved after it.
    const own = submission.status === 'pending' ? [...lost, submission] : lost
    // What was changed since then came too late for the answer, which was this person's own all the same.
    if (code === 'CONFLICT' && view && own.some((answer) => isStored(answer, view)))
      set({ inFlight: undefined })
    else {
      if (code === 'UNREACHABLE' && submission.status !== 'pending') lost.push(submission)
      const refused = code === 'CONFLICT' ? 'superseded' : code === 'GONE' ? 'expired' : undefined
      const goal = getState().goal ?? submission.status
      set({ inFlight: undefined, goal, dirty: true, refused, failed: true, error })
    }
    if (view) receive(view)
  }

  const receive = (view: QuestionView): void => {
    const { restored, inFlight, dirty, ...state } = getState()
    const isAnew = restored && isAskedAnew(restored, view)
    const isOther = isAnew || (restored && isOutdated(restored, view))
    const isNews = isOther || (!dirty && view.revision > state.revision)
    // A draft from another tab, or from before a reload, shows as long as nothing newer was entered here.
    const adopts = isNews && view.state === 'open' && !inFlight
    const revision = isOther ? view.revision : Math.max(state.revision, view.revision)
    // Of what was kept and never stored, only what nobody has answered since is still to be said.
    const kept = dirty && !isAnew ? state.draft : NOTHING
    const draft = adopts
      ? { draft: { ...kept, ...view.responses }, dirty: hasMore(kept, view.responses) }
      : beside(view)
    set({ view, viewedAt: clock.now(), revision, restored: undefined, ...draft })
    if (restored && getState().dirty && getSnapshot().isEditable) saveAgain()
  }

  /** What was entered elsewhere, for the questions that have no entry here, goes with what is entered here. */
  const beside = ({ state, responses, revision }: QuestionView): Partial<SessionState> => {
    const { draft, goal = 'pending', revision: seen } = getState()
    const isNews = revision > seen && state === 'open' && getSnapshot().isEditable
    return isNews && hasMore(responses, draft) ? { draft: { ...responses, ...draft }, dirty: true, goal } : {}
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
      // Not earlier: what a server rendered knows nothing of it.
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
        // The host is there again. An answer that failed waits for whoever sent it.
        if (goal === 'pending' && error?.code === 'UNREACHABLE') saveAgain()
      }
      const stop = options.transport.subscribe?.(part.toolCallId, onView, forget)
      return () => {
        stop?.()
        save()
        // The next session for the question may be at work already.
        isStarted = false
        isKept = false
      }
    },
  }
}

/** What the host says to somebody who may not, or no longer, see the question. */
const REFUSALS: readonly AskErrorCode[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'LINK_INVALID', 'LINK_EXPIRED']

/** Whether a draft has entries for questions for which the other one has none. */
const hasMore = (draft: Draft, other: Draft): boolean => Object.keys(draft).some((id) => !(id in other))

/** The questions of a message, to be compared. */
const askedIn = (part: ToolPart): string => JSON.stringify(readQuestions(part.input))
