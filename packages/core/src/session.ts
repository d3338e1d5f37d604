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
import { type QuestionResponse, responseTo } from './response.ts'
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

export interface AskSessionOptions {
  part: ToolPart
  transport: AnswerTransport
  /** Whether the last pick of an all-single-choice set submits it. Default true. */
  autoSubmit?: boolean
  /** How long typing may pause before a draft is saved, in milliseconds. Default 300. */
  draftDelayMs?: number
  /** Called when the host has stored a draft or the answer, with all that was entered as text. */
  onAnswer?: (submission: Submission) => void
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

/** The session of a part that is over: what it shows, and nothing that could change it. */
export function endedSession(part: ToolPart): AskSession {
  const snapshot = snapshotOf(initialState(part))
  const nothing = (): void => {}
  return {
    toolCallId: part.toolCallId,
    getSnapshot: () => snapshot,
    subscribe: () => nothing,
    setPart: nothing,
    start: () => nothing,
    save: nothing,
    select: nothing,
    setFreeText: nothing,
    setNotes: nothing,
    skip: nothing,
    submit: nothing,
    cancel: nothing,
    retry: nothing,
  }
}

export function createAskSession(options: AskSessionOptions): AskSession {
  const { transport, autoSubmit = true, draftDelayMs = 300, onAnswer, drafts, clock = systemClock } = options
  const listeners = new Set<() => void>()
  let state = initialState(options.part)
  let snapshot = snapshotOf(state)
  let cancelDelay: (() => void) | null = null
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
    const { draft, revision, dirty, view } = state
    const kept = {
      asked: askedIn(state.part),
      askedAt: view?.askedAt,
      draft,
      revision,
      sent: sending,
      dirty: dirty || sending !== NOTHING,
    }
    drafts?.write(isKept ? kept : null)
  }

  const store = (goal: ApprovalStatus, change: Partial<SessionState> = {}, delayMs = 0): void => {
    cancelDelay?.()
    cancelDelay = null
    const heldBack = state.heldBack && goal === 'pending'
    set({ ...change, goal, failed: false, heldBack, error: null })
    if (delayMs > 0) cancelDelay = clock.after(delayMs, flush)
    else void send()
  }

  /** Ends the pause that typing is given, and saves. */
  const flush = (): void => {
    cancelDelay?.()
    cancelDelay = null
    void send()
  }

  /** One request at a time; what was entered meanwhile follows as one more, so that no answer overtakes another. */
  const send = async (): Promise<void> => {
    const { goal } = state
    if (goal === null || state.inFlight !== null || isEnded(snapshot.status)) return
    const submission = submissionOf(state, goal)
    const { failed, error } = state
    sending = submission.responses
    set({ goal: null, inFlight: goal, dirty: false, failed: false, error: failed ? null : error })
    try {
      const { revision = 0 } = await transport.send(submission)
      const stored = goal === 'pending' ? state.stored : goal
      sending = NOTHING
      set({ inFlight: null, stored, revision: Math.max(state.revision, revision) })
    } catch (cause) {
      // A draft that failed does not hold up the answer that was submitted meanwhile.
      const isFollowedByAnswer = state.goal !== null && state.goal !== 'pending'
      fail(cause, goal)
      return isFollowedByAnswer ? send() : undefined
    }
    void send()
    if (goal !== 'cancelled')
      onAnswer?.({ ...submission, answers: encodeAnswers(submission.questions, submission.responses) })
  }

  const fail = (cause: unknown, goal: ApprovalStatus): void => {
    const error =
      cause instanceof AskError
        ? cause
        : new AskError('UNREACHABLE', 'The answer could not be sent', { cause })
    sending = NOTHING
    const refused = error.code === 'CONFLICT' ? 'superseded' : error.code === 'GONE' ? 'expired' : null
    set({ inFlight: null, goal: state.goal ?? goal, dirty: true, refused, failed: true, error })
    if (isQuestionView(error.facts.question)) receive(error.facts.question)
  }

  const receive = (view: QuestionView): void => {
    const { restored, inFlight, dirty } = state
    const isOther = restored !== null && isOutdated(restored, view)
    const isNews = isOther || (!dirty && view.revision > state.revision)
    // A draft from another tab, or from before a reload, shows as long as nothing newer was entered here.
    const adopts = isNews && view.state === 'open' && inFlight === null
    const revision = isOther ? view.revision : Math.max(state.revision, view.revision)
    const draft = adopts && { draft: view.responses, dirty: false }
    set({ view, viewedAt: clock.now(), revision, restored: null, ...draft })
    if (restored && state.dirty && snapshot.isEditable) store('pending')
  }

  const save = (): void => {
    if (cancelDelay) flush()
  }

  type Change = (draft: Draft, question: AskedQuestion) => Draft

  const edit = (
    textOrId: string,
    changed: Change,
    completes?: (draft: Draft) => boolean,
    delayMs = 0,
  ): void => {
    const question = findQuestion(snapshot.questions, textOrId)
    if (!snapshot.isEditable || !question) return
    const draft = changed(state.draft, question)
    if (draft === state.draft) return
    isKept = true
    const change = { draft, dirty: true, restored: null }
    store(completes?.(draft) ? 'completed' : 'pending', change, delayMs)
  }

  const completesBySelection = (draft: Draft): boolean =>
    snapshot.questions.every(
      (question) => question.options && !question.multiSelect && hasPicked(responseTo(draft, question)),
    )

  return {
    toolCallId: options.part.toolCallId,
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
      const kept = state.draft === NOTHING ? readKept(drafts?.read(), askedIn(state.part)) : null
      isKept = kept !== null || state.draft !== NOTHING
      if (kept) {
        const { draft, revision, dirty } = kept
        set({ draft, revision, dirty, restored: kept })
      }
      const stop = transport.watch?.(options.part.toolCallId, (view) => {
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
    select: (textOrId, value, { autoSubmit: mayComplete = autoSubmit } = {}) =>
      edit(
        textOrId,
        (draft, question) => selectInDraft(draft, question, value),
        mayComplete ? completesBySelection : undefined,
      ),
    setFreeText: (textOrId, text) =>
      edit(textOrId, (draft, q) => typeInDraft(draft, q, text), undefined, draftDelayMs),
    setNotes: (textOrId, notes) =>
      edit(textOrId, (draft, q) => noteInDraft(draft, q, notes), undefined, draftDelayMs),
    skip: (textOrId) => edit(textOrId, skipInDraft),
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

const hasPicked = (response: QuestionResponse | undefined): boolean =>
  response !== undefined && !('skipped' in response) && response.selected.length > 0

/** The questions of a message, to be compared. */
const askedIn = (part: ToolPart): string => JSON.stringify(readQuestions(part.input))
