import { encodeAnswers } from './answer-text.ts'
import type { ApprovalStatus } from './approval.ts'
import { type Clock, systemClock } from './clock.ts'
import {
  type Draft,
  findQuestion,
  noteInDraft,
  selectInDraft,
  skipInDraft,
  submittedResponses,
  typeInDraft,
} from './draft.ts'
import { AskError, invalid } from './errors.ts'
import { type AskedQuestion, isRequired } from './question.ts'
import { isQuestionView, type QuestionView } from './question-view.ts'
import { type QuestionResponse, responseTo } from './response.ts'
import {
  type AskSnapshot,
  initialState,
  isEnded,
  type SessionState,
  type Submission,
  snapshotOf,
  submissionOf,
} from './session-state.ts'
import { samePart, type ToolPart } from './tool-part.ts'
import { validateResponses } from './validate-responses.ts'

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
  /** Follows the host's view; the returned function stops that and saves what was just typed. */
  start(): () => void
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
  const { transport, autoSubmit = true, draftDelayMs = 300, onAnswer, clock = systemClock } = options
  const listeners = new Set<() => void>()
  let state = initialState(options.part)
  let snapshot = snapshotOf(state)
  let cancelDelay: (() => void) | null = null

  const set = (change: Partial<SessionState>): void => {
    state = { ...state, ...change }
    snapshot = snapshotOf(state)
    for (const listener of [...listeners]) listener()
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
    set({ goal: null, inFlight: goal, dirty: false, failed: false, error: failed ? null : error })
    try {
      const { revision = 0 } = await transport.send(submission)
      const stored = goal === 'pending' ? state.stored : goal
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
    const refused = error.code === 'CONFLICT' ? 'superseded' : error.code === 'GONE' ? 'expired' : null
    set({ inFlight: null, goal: state.goal ?? goal, dirty: true, refused, failed: true, error })
    if (isQuestionView(error.facts.question)) receive(error.facts.question)
  }

  const receive = (view: QuestionView): void => {
    // A draft from another tab, or from before a reload, shows as long as nothing newer was entered here.
    const adopt =
      view.state === 'open' && view.revision > state.revision && !state.dirty && state.inFlight === null
    const revision = Math.max(state.revision, view.revision)
    set({ view, viewedAt: clock.now(), revision, ...(adopt && { draft: view.responses }) })
  }

  type Change = (draft: Draft, question: AskedQuestion) => Draft

  const edit = (
    textOrId: string,
    change: Change,
    completes?: (draft: Draft) => boolean,
    delayMs = 0,
  ): void => {
    const question = findQuestion(snapshot.questions, textOrId)
    if (!snapshot.isEditable || !question) return
    const draft = change(state.draft, question)
    if (draft !== state.draft)
      store(completes?.(draft) ? 'completed' : 'pending', { draft, dirty: true }, delayMs)
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
      const stop = transport.watch?.(options.part.toolCallId, receive)
      return () => {
        stop?.()
        if (cancelDelay) flush()
      }
    },
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
      const { questions, unanswered } = snapshot
      // An optional question that is left open is no part that is missing.
      const missing = questions.filter((question) => isRequired(question) && unanswered.includes(question.id))
      const draft = partial ? missing.reduce(skipInDraft, state.draft) : state.draft
      const faults = validateResponses(questions, submittedResponses(questions, draft), { final: true })
      if (faults.length === 0) return store('completed', { draft, dirty: true })
      if (cancelDelay) flush()
      set({ heldBack: true, error: invalid('INVALID_ANSWERS', 'This answer is not complete', faults) })
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
