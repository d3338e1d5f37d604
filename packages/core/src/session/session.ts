import { hasMisfit, missingIn } from '../answer/answer-state.ts'
import type { AnswerStatus } from '../answer/answer-status.ts'
import {
  type Draft,
  findQuestion,
  noteInDraft,
  selectInDraft,
  skipInDraft,
  typeInDraft,
} from '../answer/draft.ts'
import { isAnswer, responseTo } from '../answer/response.ts'
import { AskError } from '../lib/errors.ts'
import type { AskedQuestion } from '../question/question.ts'
import { samePart, type ToolPart } from '../question/tool-part.ts'
import { connectToHost, type HostConnectionOptions } from './host-connection.ts'
import { type AskSnapshot, initialState, type SessionState, snapshotOf } from './session-state.ts'

export interface AskSessionOptions extends HostConnectionOptions {
  part: ToolPart
  /** Whether the last pick submits, if all questions are single choices. Default true. */
  autoSubmit?: boolean | undefined
}

/** The state machine of a question on a page. `useAskUserQuestion` binds it to React. */
export interface AskSession {
  readonly toolCallId: string
  getSnapshot(): AskSnapshot
  /** Calls back after every change. The returned function ends this. */
  subscribe(listener: () => void): () => void
  /** Takes the message part as it streams in and ends. */
  setPart(part: ToolPart): void
  /**
   * Restores entries from before a reload, and subscribes to the host's view. The returned function ends that and saves
   * what was just typed.
   */
  start(): () => void
  /** Saves what was just typed, without waiting for a pause. For a page that may be closed next. */
  save(): void
  /** Picks an option by its value or label. Functions take the text or the id of a question. */
  select(question: string, value: string, options?: { autoSubmit?: boolean | undefined }): void
  setFreeText(question: string, text: string): void
  setNotes(question: string, notes: string): void
  skip(question: string): void
  /** Copies what another person has entered into the draft, by the id in `AskSnapshot.others`. It sends nothing. */
  takeOver(personId: string): void
  /** Sends the answer. Missing answers are an error. With `partial`, their questions are skipped. */
  submit(options?: { partial?: boolean | undefined }): void
  /** Declines to answer, with an optional reason. */
  decline(reason?: string): void
  /** Sends again what failed. */
  retry(): void
}

/** Takes entries, stores them at the host, and says what a page shows. */
export function createAskSession(options: AskSessionOptions): AskSession {
  const { part } = options
  const listeners = new Set<() => void>()
  let state = initialState(part)
  let snapshot = snapshotOf(state)

  const getSnapshot = (): AskSnapshot => snapshot
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const set = (change: Partial<SessionState>): void => {
    state = { ...state, ...change }
    snapshot = snapshotOf(state)
    for (const listener of [...listeners]) listener()
  }
  const host = connectToHost(options, { getState: () => state, getSnapshot, set, subscribe })

  const store = (goal: AnswerStatus, change: Partial<SessionState> = {}, isTyping = false): void => {
    const heldBack = state.heldBack && goal === 'pending'
    set({ ...change, goal, failed: false, heldBack, error: undefined })
    host.store(isTyping)
  }

  type Change = (draft: Draft, question: AskedQuestion, value: string) => Draft

  const edit = (
    change: Change,
    textOrId: string,
    value = '',
    isTyping = false,
    mayComplete = false,
  ): void => {
    const { isEditable, questions } = snapshot
    const question = findQuestion(questions, textOrId)
    if (!isEditable || !question) return
    const draft = change(state.draft, question, value)
    if (draft === state.draft) return
    const isComplete = mayComplete && questions.every((asked) => isPicked(asked, draft))
    store(isComplete ? 'completed' : 'pending', { draft, dirty: true, restored: undefined }, isTyping)
  }

  return {
    toolCallId: part.toolCallId,
    getSnapshot,
    subscribe,
    setPart(part) {
      if (!samePart(part, state.part)) set({ part })
    },
    start: host.start,
    save: host.save,
    select: (textOrId, value, { autoSubmit = options.autoSubmit ?? true } = {}) =>
      edit(selectInDraft, textOrId, value, false, autoSubmit),
    setFreeText: (textOrId, text) => edit(typeInDraft, textOrId, text, true),
    setNotes: (textOrId, notes) => edit(noteInDraft, textOrId, notes, true),
    skip: (textOrId) => edit(skipInDraft, textOrId),
    takeOver(personId) {
      const other = snapshot.others.find(({ id }) => id === personId)
      if (!other || Object.keys(other.responses).length === 0) return
      store('pending', { draft: { ...state.draft, ...other.responses }, dirty: true, restored: undefined })
    },
    submit({ partial = false } = {}) {
      if (!snapshot.isEditable) return
      const missing = missingIn(snapshot.questions, state.draft)
      const isSendable = partial && !missing.some((question) => hasMisfit(question, state.draft))
      if (isSendable || missing.length === 0)
        return store('completed', { draft: missing.reduce(skipInDraft, state.draft), dirty: true })
      host.save()
      const faults = missing.map(({ id }) => ({ path: `responses.${id}`, expected: 'an answer' }))
      const message = `Not answered yet: ${missing.map(({ question }) => question).join(' ')}`
      set({ heldBack: true, error: new AskError('INVALID_ANSWERS', message, { faults }) })
    },
    decline(reason) {
      if (snapshot.isEditable) store('declined', { reason })
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
