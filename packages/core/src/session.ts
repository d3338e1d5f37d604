import { missingIn } from './answer-state.ts'
import { encodeAnswers } from './answer-text.ts'
import type { ApprovalStatus } from './approval.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Draft, findQuestion, noteInDraft, selectInDraft, skipInDraft, typeInDraft } from './draft.ts'
import { AskError } from './errors.ts'
import { type DraftKeeper, isOutdated, readKept } from './kept-draft.ts'
import type { AskedQuestion } from './question.ts'
import { isQuestionView, type QuestionView } from './question-view.ts'
import { readQuestions } from './read-questions.ts'
import { isAnswer, responseTo } from './response.ts'
import {
  type AskSnapshot,
  initialState,
  isEnded,
  NOTHING,
  type SessionState,
  type Submission,
  snapshotOf,
  submissionOf,
} from './session-state.ts'
import { samePart, type ToolPart } from './tool-part.ts'

/** How a session reaches the host. */
export interface AnswerTransport {
  /**
   * Stores a draft or an answer, and resolves to the revision it got when the host tells.
   *
   * @throws AskError the host's refusal with its code, or `UNREACHABLE`. A view under `facts.question` is taken over.
   */
  send(submission: Submission): Promise<{ revision?: number }>
  /** Reports the question now and whenever it changes, until the returned function is called. */
  watch?(toolCallId: string, onView: (view: QuestionView) => void): () => void
}

/** `transport`, `autoSubmit` and `onAnswer` are read anew for each use, so that getters may give the latest ones. */
export interface AskSessionOptions {
  part: ToolPart
  transport: AnswerTransport
  /** Whether the last pick of an all-single-choice set submits it. Default true. */
  autoSubmit?: boolean | undefined
  /** How long typing may pause before a draft is saved, in milliseconds. Default 300. */
  draftDelayMs?: number
  /** Called when the host has stored a draft or the answer, with all that was entered as text. */
  onAnswer?: ((submission: Submission) => void) | undefined
  /** Keeps what is entered through a reload of the page, for what the host does not know yet. */
  drafts?: DraftKeeper
  clock?: Clock
}

/** The state machine behind a question on a page; `useAskUserQuestion` binds it to React. */
export interface AskSession {
  readonly toolCallId: string
  getSnapshot(): AskSnapshot
  /** Calls back after every change; the returned function takes it back. */
  subscribe(listener: () => void): () => void
  /** Takes the message part as it streams in and ends. */
  setPart(part: ToolPart): void
  /**
   * Finds again what was entered before a reload, and follows the host's view; the returned function stops that and
   * saves what was just typed.
   */
  start(): () => void
  /** Saves what was just typed, without waiting for a pause: the page may be about to go. */
  save(): void
  /** Picks an option by its value or label, see `selectInDraft`. A question goes by its text or id. */
  select(question: string, value: string, options?: { autoSubmit?: boolean }): void
  setFreeText(question: string, text: string): void
  setNotes(question: string, notes: string): void
  skip(question: string): void
  /** Sends the answer. Unanswered required questions are an error; with `partial` they are skipped. */
  submit(options?: { partial?: boolean }): void
  /** Declines to answer, with an optional reason. */
  cancel(reason?: string): void
  /** Sends again what failed. */
  retry(): void
}

export function createAskSession(options: AskSessionOptions): AskSession {
  const { part, draftDelayMs = 300, drafts, clock = systemClock } = options
  const listeners = new Set<() => void>()
  let state = initialState(part)
  let snapshot = snapshotOf(state)
  let cancelDelay: (() => void) | undefined
  let sending = NOTHING
  let isKept = false

  const set = (change: Partial<SessionState>): void => {
    state = { ...state, ...change }
    snapshot = snapshotOf(state)
    for (const listener of [...listeners]) listener()
    if (isKept) keep()
  }

  /** Writes down what was entered here, as long as it may still have to be entered again. */
  const keep = (): void => {
    isKept = snapshot.isEditable || snapshot.status === 'sending'
    const { draft, revision, view } = state
    const dirty = state.dirty || sending !== NOTHING
    const kept = { asked: askedIn(state.part), askedAt: view?.askedAt, draft, revision, sent: sending, dirty }
    drafts?.write(isKept ? kept : null)
  }

  const store = (goal: ApprovalStatus, change: Partial<SessionState> = {}, delayMs = 0): void => {
    cancelDelay?.()
    cancelDelay = delayMs > 0 ? clock.after(delayMs, save) : undefined
    const heldBack = state.heldBack && goal === 'pending'
    set({ ...change, goal, failed: false, heldBack, error: undefined })
    if (!cancelDelay) void send()
  }

  /** Ends the pause that typing is given. */
  const save = (): void => {
    if (!cancelDelay) return
    cancelDelay()
    cancelDelay = undefined
    void send()
  }

  /** One request at a time; what was entered meanwhile follows as one more, so that no answer overtakes another. */
  const send = async (): Promise<void> => {
    const { goal, inFlight, failed, error } = state
    if (!goal || inFlight || isEnded(snapshot.status)) return
    const submission = submissionOf(state, snapshot, goal)
    sending = submission.responses
    set({ goal: undefined, inFlight: goal, dirty: false, failed: false, error: failed ? undefined : error })
    try {
      const { revision = 0 } = await options.transport.send(submission)
      const stored = goal === 'pending' ? state.stored : goal
      sending = NOTHING
      set({ inFlight: undefined, stored, revision: Math.max(state.revision, revision) })
    } catch (cause) {
      // A draft that failed does not hold up the answer that was submitted meanwhile.
      const isFollowedByAnswer = state.goal && state.goal !== 'pending'
      fail(cause, goal)
      return isFollowedByAnswer ? send() : undefined
    }
    void send()
    const { questions, responses } = submission
    if (goal !== 'cancelled')
      options.onAnswer?.({ ...submission, answers: encodeAnswers(questions, responses) })
  }

  const fail = (cause: unknown, goal: ApprovalStatus): void => {
    const error =
      cause instanceof AskError
        ? cause
        : new AskError('UNREACHABLE', 'The answer could not be sent', { cause })
    const { code, facts } = error
    sending = NOTHING
    const refused = code === 'CONFLICT' ? 'superseded' : code === 'GONE' ? 'expired' : undefined
    set({ inFlight: undefined, goal: state.goal ?? goal, dirty: true, refused, failed: true, error })
    if (isQuestionView(facts.question)) receive(facts.question)
  }

  const receive = (view: QuestionView): void => {
    const { restored, inFlight, dirty } = state
    const isOther = restored && isOutdated(restored, view)
    const isNews = isOther || (!dirty && view.revision > state.revision)
    // A draft from another tab, or from before a reload, shows as long as nothing newer was entered here.
    const adopts = isNews && view.state === 'open' && !inFlight
    const revision = isOther ? view.revision : Math.max(state.revision, view.revision)
    const draft = adopts && { draft: view.responses, dirty: false }
    set({ view, viewedAt: clock.now(), revision, restored: undefined, ...draft })
    if (restored && state.dirty && snapshot.isEditable) store('pending')
  }

  type Change = (draft: Draft, question: AskedQuestion, value: string) => Draft

  const edit = (change: Change, textOrId: string, value = '', delayMs = 0, mayComplete = false): void => {
    const { isEditable, questions } = snapshot
    const question = findQuestion(questions, textOrId)
    if (!isEditable || !question) return
    const draft = change(state.draft, question, value)
    if (draft === state.draft) return
    isKept = true
    const isComplete = mayComplete && questions.every((asked) => isPicked(asked, draft))
    store(isComplete ? 'completed' : 'pending', { draft, dirty: true, restored: undefined }, delayMs)
  }

  return {
    toolCallId: part.toolCallId,
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setPart(part) {
      if (!samePart(part, state.part)) set({ part })
    },
    start() {
      // Not earlier: what a server rendered knows nothing of it.
      const restored = state.draft === NOTHING && readKept(drafts?.read(), askedIn(state.part))
      if (restored) {
        const { draft, revision, dirty } = restored
        set({ draft, revision, dirty, restored })
      }
      isKept = state.draft !== NOTHING
      const stop = options.transport.watch?.(part.toolCallId, (view) => {
        receive(view)
        // The host is there again. An answer that failed waits for whoever sent it.
        if (state.goal === 'pending' && state.error?.code === 'UNREACHABLE') store('pending')
      })
      return () => {
        stop?.()
        save()
        // The next session for the question may be at work already.
        isKept = false
      }
    },
    save,
    select: (textOrId, value, { autoSubmit = options.autoSubmit ?? true } = {}) =>
      edit(selectInDraft, textOrId, value, 0, autoSubmit),
    setFreeText: (textOrId, text) => edit(typeInDraft, textOrId, text, draftDelayMs),
    setNotes: (textOrId, notes) => edit(noteInDraft, textOrId, notes, draftDelayMs),
    skip: (textOrId) => edit(skipInDraft, textOrId),
    submit({ partial = false } = {}) {
      if (!snapshot.isEditable) return
      const missing = missingIn(snapshot.questions, state.draft)
      if (partial || missing.length === 0)
        return store('completed', { draft: missing.reduce(skipInDraft, state.draft), dirty: true })
      save()
      const faults = missing.map(({ id }) => ({ path: `responses.${id}`, expected: 'an answer' }))
      const message = `Not answered yet: ${missing.map(({ question }) => question).join(' ')}`
      set({ heldBack: true, error: new AskError('INVALID_ANSWERS', message, { faults }) })
    },
    cancel(reason) {
      if (snapshot.isEditable) store('cancelled', { reason })
    },
    retry() {
      if (state.failed && state.goal && !state.refused) store(state.goal)
    },
  }
}

const isPicked = (question: AskedQuestion, draft: Draft): boolean => {
  const response = responseTo(draft, question)
  return !!question.options && !question.multiSelect && isAnswer(response) && response.selected.length > 0
}

/** The questions of a message, to be compared. */
const askedIn = (part: ToolPart): string => JSON.stringify(readQuestions(part.input))
