import {
  type AnswerTransport,
  type AskError,
  type AskedQuestion,
  type AskSession,
  type AskSnapshot,
  createAskSession,
  isEnded,
  type Question,
  type QuestionRecord,
} from '@sandagent/core/internal'
import type { AnswerableSandbox } from '@sandagent/sdk'
import { attachFile } from './give-file.ts'
import { createHeldAnswer, type HeldAnswer } from './held-answer.ts'
import { createListeners } from './listeners.ts'
import { type CallerOptions, createRecordTransport } from './record-transport.ts'

/** An answer that would leave later than this before the time runs out leaves at once, in milliseconds. */
const LAST_MOMENT_MS = 2000

/** A session whose answers leave after a pause. */
export interface HeldSession {
  session: AskSession
  held: HeldAnswer
  /** What the answer allows beyond its call, in plain words. */
  allowsMore(): string | undefined
  /** Calls back after every change of both. The returned function ends this. */
  subscribe(listener: () => void): () => void
}

/** A question that a person has open in this terminal. */
export interface OpenQuestion extends HeldSession {
  record: QuestionRecord
  /** Whether more than a draft was sent from here. */
  hasSubmitted(): boolean
  /** Why the answer was not taken, where another question has taken the place of this one. */
  replaced(): AskError | undefined
  /** Gives a file by its typed path. Resolves to what keeps it from being given, or `null`. */
  attach(question: AskedQuestion, typed: string): Promise<string | null>
  /** Takes back what is held, saves what was typed, and resolves when nothing is on its way. */
  close(): Promise<void>
}

/** @param undoMs how long an answer can be taken back, in milliseconds */
export function openSession(
  record: QuestionRecord,
  { undoMs, ...place }: { sandbox: AnswerableSandbox; answerer: CallerOptions | undefined; undoMs: number },
): OpenQuestion {
  let replaced: AskError | undefined
  const transport = createRecordTransport(record, place.sandbox, place.answerer, (error) => {
    replaced = error
  })
  const { toolCallId, questions } = record
  const opened = holdAnswers({ toolCallId, questions }, transport, undoMs)
  const { session, held } = opened
  const stop = session.start()
  return {
    ...opened,
    record,
    hasSubmitted: transport.hasSubmitted,
    replaced: () => replaced,
    attach: (question, typed) => attachFile(session, place.sandbox, question, typed),
    async close() {
      held.close()
      // The session makes a draft of what it keeps, and saves that, before it ends.
      await new Promise(setImmediate)
      stop()
      await transport.idle()
      // What has arrived is told before this resolves.
      await new Promise(setImmediate)
    },
  }
}

/** A session over a transport. The pause before an answer leaves is outside of it, so each kind of answer has one. */
export function holdAnswers(
  { toolCallId, questions }: { toolCallId: string; questions: readonly Question[] },
  transport: AnswerTransport,
  undoMs: number,
): HeldSession {
  const { emit: onChange, subscribe } = createListeners()
  const pauseMs = (): number => {
    const { deadline } = session.getSnapshot()
    return deadline !== null && deadline - Date.now() < undoMs + LAST_MOMENT_MS ? 0 : undoMs
  }
  const held = createHeldAnswer(pauseMs, onChange)
  let allowed: string | undefined
  const holding: AnswerTransport = {
    ...transport,
    send: async (answer) => {
      const scope = session.getSnapshot().view?.scopes?.find(({ id }) => id === answer.scope)
      // Once the answer is stored, nothing is offered any more.
      allowed = answer.scope === undefined ? undefined : (scope?.covers ?? allowed)
      await held.pass(answer)
      return transport.send(answer)
    },
  }
  const part = { type: 'tool-AskUserQuestion', toolCallId, state: 'input-available', input: { questions } }
  const session = createAskSession(part, () => ({ transport: holding, undoMs: 0 }))
  let isTakenBack = false
  session.subscribe(() => {
    // For the session, it could not be sent yet.
    if (isTakenBack && session.getSnapshot().status === 'retrying') {
      isTakenBack = false
      session.undo()
    } else onChange()
  })
  return {
    session,
    allowsMore: () => allowed,
    held: {
      ...held,
      takeBack() {
        isTakenBack = held.takeBack()
        return isTakenBack
      },
      close() {
        isTakenBack = true
        held.close()
      },
    },
    subscribe,
  }
}

/** Whether what was sent from here counts. Somebody else may use the same name. */
export const isTaken = ({ session, hasSubmitted }: OpenQuestion): boolean =>
  hasSubmitted() && ['sent', 'received', 'declined'].includes(session.getSnapshot().status)

/** Whether there is nothing more to do: the answer is stored, or the question has ended. */
export const isDone = ({ status }: AskSnapshot): boolean => status === 'sent' || isEnded(status)
