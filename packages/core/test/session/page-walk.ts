import { isDeepStrictEqual } from 'node:util'
import type { Draft } from '../../src/answer/draft.ts'
import type { QuestionResponse } from '../../src/answer/response.ts'
import { AskError, type AskErrorCode } from '../../src/lib/errors.ts'
import { parseQuestions } from '../../src/question/parse-questions.ts'
import type { OutcomeKind } from '../../src/record/question-record.ts'
import type { QuestionView } from '../../src/record/view/question-view.ts'
import { type AskStatus, endingOf, isEditableIn, isEnded, statusOf } from '../../src/session/ask-status.ts'
import { type PageAnswer, pageAnswerOf } from '../../src/session/page-answer.ts'
import { initialState, type Session } from '../../src/session/session-state.ts'
import {
  countedDown,
  entered,
  failed,
  forgotten,
  heldBack,
  meant,
  restored,
  revised,
  scheduled,
  stored,
  viewed,
} from '../../src/session/transitions.ts'

const questions = parseQuestions([{ question: 'A?' }, { question: 'B?' }])
const PARTS = ['input-streaming', 'input-available', 'output-available', 'output-error', 'output-denied']
const OVER: QuestionView['state'][] = ['sent', 'answered', 'declined', 'timed-out']
const OPEN = Array<QuestionView['state']>(2 * OVER.length).fill('open')
const CODES: AskErrorCode[] = ['UNREACHABLE', 'UNAUTHENTICATED', 'FORBIDDEN', 'CHANGED', 'CONFLICT', 'GONE']
const errorWith = (code: AskErrorCode, facts = {}) => new AskError(code, 'Failed', { facts })
/** Made once, because an error notes where it was made, which takes long. */
const ERRORS = CODES.map((code) => errorWith(code))
const TOO_EARLY = errorWith('INVALID_ANSWERS')

const partOf = (state: string) => ({ type: 'tool-AskUserQuestion', toolCallId: 'c', state, output: {} })

/** A page whose person, host and message do what the numbers say. */
export interface PageWalk {
  /** Lets something happen. */
  step(): void
  session(): Session
  status(): AskStatus
  /** The requests that have no reply yet. */
  inFlight(): readonly PageAnswer[]
  /** What was entered here, and neither stored by the host nor replaced by its word, by question id. */
  unstored(): ReadonlyMap<string, QuestionResponse>
}

/** @param below a whole number from 0, at random, which is below this one */
export function walkOnPage(below: (limit: number) => number): PageWalk {
  let words = 0
  let newest = 0
  let inFlight: PageAnswer[] = []
  let session: Session = initialState(partOf('input-available'))
  const unstored = new Map<string, QuestionResponse>()

  const isOne = (times: number): boolean => below(times) === 0
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const set = (change: Partial<Session>): void => {
    session = { ...session, ...change }
  }
  const outcome = (): OutcomeKind | null => {
    const { state = 'open' } = session.view ?? {}
    return state === 'open' || state === 'sent' ? endingOf(session.part) : state
  }
  const status = (): AskStatus => statusOf(session, outcome())
  const isEditable = (): boolean => isEditableIn(status())

  const typed = (): Draft => ({
    [oneOf(questions).id]: { selected: [], freeText: `${++words}`, source: 'human' },
  })
  const enter = (entries: Draft, kind: 'saving' | 'dirty' = 'saving'): void => {
    for (const [id, response] of Object.entries(entries)) unstored.set(id, response)
    set(entered(session, { ...session.entries, ...entries }, kind))
  }

  const show = (view: QuestionView): void => {
    const { kept } = session.draft
    const isAgain = kept?.askedAt !== undefined && kept.askedAt !== view.askedAt
    // What an earlier page kept gives way to newer responses, and to another question.
    if (kept) for (const { id } of questions) if (isAgain || id in view.responses) unstored.delete(id)
    set(viewed(session, view, isEditable(), 0))
  }
  const view = (): QuestionView => {
    newest += below(2)
    const state = oneOf([...OVER, ...OPEN])
    const vote = { id: 'me', name: 'Me', responses: {}, revision: newest, at: '', isOwn: true as const }
    return {
      toolCallId: 'c',
      kind: isOne(2) ? 'question' : 'approval',
      state,
      questions,
      responses: isOne(2) ? { ...typed(), ...typed() } : {},
      revision: newest,
      declined: false,
      askedAt: isOne(3) ? 'later' : 'then',
      deadline: null,
      remainingMs: null,
      mayAnswer: !isOne(6),
      votes: isOne(4) ? [vote] : [],
      ...(state !== 'open' && isOne(2) && { byOther: isOne(2) }),
    }
  }

  const send = (): void => {
    const { draft, answer, request } = session
    const isDue = answer.intent ?? (draft.kind === 'saving' || draft.kind === 'failed')
    const isLeaving = isOne(4) && answer.intent && request?.status === 'pending'
    if (!isDue || (request && !isLeaving) || isEnded(status())) return
    const sent = pageAnswerOf(session, questions)
    inFlight.push(sent)
    set({ request: sent })
  }
  const store = (request: PageAnswer): void => {
    const isFinal = request.status !== 'pending'
    for (const [id, response] of unstored)
      if (isFinal ? session.answer.intent : isDeepStrictEqual(request.responses[id], response))
        unstored.delete(id)
    set(stored(session, request, { revision: ++newest, missingVotes: isFinal && isOne(3) ? 1 : undefined }))
  }
  const refuse = (request: PageAnswer): void => {
    const question = isOne(3) ? view() : undefined
    set(failed(session, request, question ? errorWith(oneOf(CODES), { question }) : oneOf(ERRORS)))
    if (!question) return
    // The host has an answer of this person.
    if (question.byOther === false) unstored.clear()
    show(question)
  }
  const reload = (): void => {
    const { part, entries, revision, answer, draft, request, view } = session
    inFlight = []
    session = initialState(part)
    set(
      restored({
        asked: '',
        askedAt: view?.askedAt,
        draft: entries,
        revision,
        dirty: draft.kind !== 'clean' || request !== undefined,
        sent: request?.responses ?? {},
        intent: answer.intent,
      }),
    )
  }

  const byPerson = [
    () => isEditable() && enter(typed(), isOne(3) ? 'dirty' : 'saving'),
    () => isEditable() && set(countedDown(session, 1, questions)),
    () => isEditable() && set(heldBack(TOO_EARLY)),
    () =>
      isEditable() && set(meant(session, session.entries, { status: isOne(2) ? 'completed' : 'declined' })),
    () => status() === 'voted' && set(revised),
    () => (status() === 'retrying' || status() === 'failed') && enter({}),
    () => isOne(2) && reload(),
  ]
  const byOthers = [
    () => show(view()),
    () => isOne(8) && set({ part: partOf(oneOf(PARTS)) }),
    () => {
      if (session.draft.kept) unstored.clear()
      set(forgotten(session))
    },
  ]
  const byDelivery = [
    send,
    send,
    () => set(scheduled(session, 1)),
    () => {
      const [request] = inFlight.splice(below(inFlight.length || 1), 1)
      if (request) (isOne(2) ? store : refuse)(request)
    },
  ]
  const events = [...byPerson, ...byOthers, ...byDelivery]
  return {
    step: () => void oneOf(events)(),
    session: () => session,
    status,
    inFlight: () => inFlight,
    unstored: () => unstored,
  }
}
