import { encodeAnswers } from '../answer/answer-text.ts'
import type { Draft } from '../answer/draft.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { AskError, type AskErrorCode } from '../lib/errors.ts'
import { readQuestions } from '../question/read-questions.ts'
import type { ToolPart } from '../question/tool-part.ts'
import { isQuestionView, type QuestionView } from '../record/question-view.ts'
import { type DraftKeeper, isAskedAnew, isOutdated, isStored, readKept } from './kept-draft.ts'
import type { ConnectedSession, HostConnection } from './session.ts'
import { isEnded, NOTHING, type SessionState } from './session-state.ts'
import { type Submission, submissionOf } from './submission.ts'

/** How a session reaches the host. */
export interface AnswerTransport {
  /**
   * Stores a draft or an answer, and resolves to the revision it got when the host tells.
   *
   * @throws AskError the host's refusal with its code, or `UNREACHABLE`. A view under `facts.question` is taken over.
   */
  send(submission: Submission): Promise<{ revision?: number }>
  /**
   * Reports the question now and whenever it changes, until the returned function is called.
   *
   * @param onRefused called when the host does not let this person see the question
   */
  watch?(toolCallId: string, onView: (view: QuestionView) => void, onRefused?: () => void): () => void
}

/** `transport` and `onAnswer` are read anew for each use, so that getters may give the latest ones. */
export interface HostConnectionOptions {
  transport: AnswerTransport
  /** How long typing may pause before a draft is saved, in milliseconds. Default 300. */
  draftDelayMs?: number
  /** Called when the host has stored a draft or the answer, with all that was entered as text. */
  onAnswer?: ((submission: Submission) => void) | undefined
  /** Keeps what is entered through a reload of the page, for what the host does not know yet. */
  drafts?: DraftKeeper
  clock?: Clock
}

/** Stores what is entered in a session, keeps it through a reload, and shows the session what the host knows. */
export const connectToHost =
  (options: HostConnectionOptions) =>
  ({ getState, getSnapshot, set, subscribe }: ConnectedSession): HostConnection => {
    const { draftDelayMs = 300, drafts, clock = systemClock } = options
    /** What was entered before this was there to keep it. */
    const early = getState().draft
    let cancelDelay: (() => void) | undefined
    let sending = NOTHING
    let isStarted = false
    let isKept = false
    /** Whether the host turned this person away: what was entered stays on the page, but not behind it. */
    let isRefused = false
    /** Answers whose replies never came: each may have been stored all the same. */
    const lost: Submission[] = []

    /** Writes down what was entered here, as long as it may still have to be entered again. */
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
      return isNews && hasMore(responses, draft)
        ? { draft: { ...responses, ...draft }, dirty: true, goal }
        : {}
    }

    const store = (isTyping: boolean): void => {
      if (isStarted && !isKept && getState().dirty) keep()
      cancelDelay?.()
      cancelDelay = isTyping ? clock.after(draftDelayMs, save) : undefined
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
        const restored = draft === early && readKept(drafts?.read(), askedIn(part))
        if (restored && draft === NOTHING) {
          const { draft, revision, dirty } = restored
          set({ draft, revision, dirty, restored })
        } else if (restored) set({ draft: { ...restored.draft, ...draft } })
        isStarted = true
        isKept = getState().draft !== NOTHING
        const onView = (view: QuestionView): void => {
          isRefused = false
          receive(view)
          const { goal, error } = getState()
          // The host is there again. An answer that failed waits for whoever sent it.
          if (goal === 'pending' && error?.code === 'UNREACHABLE') saveAgain()
        }
        const stop = options.transport.watch?.(part.toolCallId, onView, forget)
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
