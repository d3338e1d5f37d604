import { loadTypedFault, misfitIn, missingIn } from '../answer/answer-state.ts'
import {
  type Draft,
  enterInDraft,
  findQuestion,
  noteInDraft,
  selectInDraft,
  skipInDraft,
  typeInDraft,
} from '../answer/draft.ts'
import type { PasskeyProof } from '../answer/passkey-proof.ts'
import type { GivenResponse } from '../answer/response.ts'
import { UNDO_MS } from '../defaults.ts'
import { systemClock } from '../lib/clock.ts'
import { AskError } from '../lib/errors.ts'
import type { AskedQuestion } from '../question/question.ts'
import { samePart, type ToolPart } from '../question/tool-part.ts'
import { type AutoSubmit, sendsItself } from './auto-submit.ts'
import type { HostConnectionOptions } from './connection-options.ts'
import { connectToHost } from './host-connection.ts'
import { initialState, isSaved, NO_ANSWER, type Session } from './session-state.ts'
import { type AskSnapshot, snapshotOf } from './snapshot.ts'
import { countedDown, entered, heldBack, meant, revised, type Sent } from './transitions.ts'

export interface AskSessionOptions extends HostConnectionOptions {
  /** Default `undo`. */
  autoSubmit?: AutoSubmit | undefined
  /** How long a person can take back an answer that is sent by itself, in milliseconds. Default 2500. */
  undoMs?: number | undefined
}

/** What holds for one pick alone. */
export interface SelectOptions {
  autoSubmit?: AutoSubmit | undefined
  /** The edited input with which a tool call is allowed. Only what is passed here is sent. */
  input?: unknown
  /** With `immediately`: the id of one of the `scopes`, which is allowed beyond this call. */
  scope?: string | undefined
  /** With `immediately`: what a passkey has signed of the answer. */
  passkey?: PasskeyProof | undefined
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
  /** The page is closed or left: sends the answer that counts down, and saves what was just typed. */
  leave(): void
  /** The host may be reachable again, or the person is back: what failed is sent again soon. */
  hasten(): void
  /** Picks an option by its value or label. Functions take the text or the id of a question. */
  select(question: string, value: string, options?: SelectOptions): void
  setFreeText(question: string, text: string): void
  setNotes(question: string, notes: string): void
  /**
   * Keeps the input of a tool call as the person has edited it. Where `subject.editable` is missing, the host refuses it. It
   * picks nothing and allows nothing. `undefined` removes it: the input of the agent is no edit.
   */
  setInput(question: string, input: unknown): void
  /**
   * Enters a part of a response that has a field of its own, such as `sealed`, beside what is entered. `undefined` removes it.
   * It sends nothing.
   */
  enter(question: string, part: Partial<GivenResponse>): void
  skip(question: string): void
  /** Copies what another person has entered into the draft, by the id in `AskSnapshot.others`. It sends nothing. */
  takeOver(personId: string): void
  /**
   * Sends the answer now. Missing answers are an error. With `partial`, their questions are skipped. An answer that is
   * `retrying` is sent again as it was.
   */
  submit(options?: { partial?: boolean | undefined }): void
  /** Declines to answer, with an optional reason. */
  decline(reason?: string): void
  /** Asks the agent something in place of an answer, where `AskSnapshot.takesQuestions` says that it can ask again. */
  askBack(question: string): void
  /** Sends now what failed. */
  retry(): void
  /**
   * Takes back what is not sent yet: the answer that counts down, or the one that is `retrying`. It becomes a draft. A
   * request that is on its way may still arrive. After a vote, it lets the person enter another one; until that is sent, the
   * first counts.
   */
  undo(): void
}

/**
 * Takes entries, stores them at the host, and says what a page shows.
 *
 * @param part the message part that asks
 * @param options returns the options whenever one is needed, so that they may change
 */
export function createAskSession(part: ToolPart, options: () => AskSessionOptions): AskSession {
  const listeners = new Set<() => void>()
  let state = initialState(part)
  let snapshot = snapshotOf(state)

  const getSnapshot = (): AskSnapshot => snapshot
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const set = (change: Partial<Session>): void => {
    state = { ...state, ...change }
    snapshot = snapshotOf(state)
    for (const listener of [...listeners]) listener()
  }
  const host = connectToHost(options, { getState: () => state, getSnapshot, set, subscribe })

  let cancelCountdown = (): void => {}

  const act = (change: Partial<Session>): void => {
    cancelCountdown()
    set(change)
  }
  const save = (entries: Draft, isTyping = false, kind?: 'dirty'): void => {
    act(entered(state, entries, kind))
    host.store(isTyping)
  }
  const send = (entries: Draft, intent?: Sent): void => {
    act(meant(state, entries, intent))
    host.store(false)
  }
  const startCountdown = (): void => {
    const { clock = systemClock, undoMs = UNDO_MS } = options()
    set(countedDown(state, clock.now() + undoMs, snapshot.questions))
    cancelCountdown = clock.after(undoMs, () => {
      if (snapshot.sendsAt !== null) send(state.entries)
    })
  }

  /** Takes what the person has changed in the draft, if they can enter something. */
  const edit = (
    textOrId: string,
    change: (draft: Draft, question: AskedQuestion) => Draft,
    take: (entries: Draft) => void = save,
  ): void => {
    const question = findQuestion(snapshot.questions, textOrId)
    if (!snapshot.isEditable || !question) return
    if (question.typed) void loadTypedFault()
    const entries = change(state.entries, question)
    if (entries !== state.entries) take(entries)
  }

  const typed = (entries: Draft): void => save(entries, true)

  const enter = (textOrId: string, part: Partial<GivenResponse>): void =>
    edit(
      textOrId,
      (...of) => enterInDraft(...of, part),
      // A secret alone is no draft to save.
      (entries) => save(entries, true, 'sealed' in part && isSaved(state) ? 'dirty' : undefined),
    )

  const leave = (): void => {
    if (snapshot.sendsAt !== null) act(meant(state, state.entries))
    host.leave()
  }

  const retry = (): void => {
    const { answer, entries } = state
    if (snapshot.status !== 'failed' && snapshot.status !== 'retrying') return
    const intent = answer.kind === 'rejected' ? answer.refused : answer.intent
    if (intent) send(entries, intent)
    else save(entries)
  }

  return {
    toolCallId: part.toolCallId,
    getSnapshot,
    subscribe,
    setPart(part) {
      if (!samePart(part, state.part)) set({ part })
    },
    start() {
      const stop = host.start()
      return () => {
        leave()
        stop()
      }
    },
    save: host.save,
    leave,
    hasten: host.hasten,
    select: (textOrId, value, { input, autoSubmit = options().autoSubmit ?? 'undo', ...beside } = {}) =>
      edit(
        textOrId,
        (...of) => selectInDraft(...of, value, input),
        (entries) => {
          const sends = sendsItself(snapshot.questions, entries, autoSubmit)
          if (sends && autoSubmit === 'immediately') return send(entries, { status: 'completed', ...beside })
          save(entries, false, sends && autoSubmit === 'when-complete' ? 'dirty' : undefined)
          if (sends) startCountdown()
        },
      ),
    setFreeText: (textOrId, text) => edit(textOrId, (...of) => typeInDraft(...of, text), typed),
    setNotes: (textOrId, notes) => edit(textOrId, (...of) => noteInDraft(...of, notes), typed),
    setInput: (textOrId, input) => enter(textOrId, { selected: [], input }),
    enter,
    skip: (textOrId) => edit(textOrId, skipInDraft),
    takeOver(personId) {
      const other = snapshot.others.find(({ id }) => id === personId)
      if (snapshot.isEditable && other && Object.keys(other.responses).length > 0)
        save({ ...state.entries, ...other.responses })
    },
    submit({ partial = false } = {}) {
      // A form of one's own may have no other button than Send.
      if (!snapshot.isEditable) return retry()
      const { entries } = state
      const missing = missingIn(snapshot.questions, entries)
      if (missing.every((question) => partial && !misfitIn(question, entries)))
        return send(missing.reduce(skipInDraft, entries))
      host.save()
      const faults = missing.map((question) => ({
        path: `responses.${question.id}`,
        expected: misfitIn(question, entries) ?? 'an answer',
      }))
      const message = `Not answered yet: ${missing.map(({ question }) => question).join(' ')}`
      set(heldBack(new AskError('INVALID_ANSWERS', message, { faults })))
    },
    decline(reason) {
      if (snapshot.isEditable) send(state.entries, { status: 'declined', reason })
    },
    askBack(question) {
      if (snapshot.isEditable && snapshot.takesQuestions && question.trim())
        send(state.entries, { status: 'declined', reason: question, asksBack: true })
    },
    retry,
    undo() {
      const { sendsAt, status } = snapshot
      if (sendsAt !== null) act({ answer: NO_ANSWER })
      else if (status === 'voted') set(revised)
      else if (status === 'retrying') save(state.entries)
    },
  }
}
