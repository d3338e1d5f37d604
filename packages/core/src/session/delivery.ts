// Why it is so: docs/decisions/0056-an-answer-that-was-sent-is-delivered.md

import { encodeAnswers } from '../answer/answer-text.ts'
import { systemClock } from '../lib/clock.ts'
import { AskError } from '../lib/errors.ts'
import type { QuestionView } from '../record/view/question-view.ts'
import { isEnded } from './ask-status.ts'
import type { ConnectedSession, HostConnectionOptions, StoredReply } from './connection-options.ts'
import { type PageAnswer, pageAnswerOf } from './page-answer.ts'
import type { KeptEntries } from './reload-entries.ts'
import { FIRST_RETRY_MS, hostsPauseMs, mayTryAgain, retryDelayMs } from './retry.ts'
import { errorOf, isSaved } from './session-state.ts'
import { failed, scheduled, stored, viewIn } from './transitions.ts'

/** Sends drafts and answers until the host has them or refuses them. */
export interface Delivery {
  /** Sends what an earlier page left. Failed requests are sent again from now on. */
  start(): void
  /** Ends that. */
  stop(): void
  /**
   * Sends what waits, once nothing else is on its way.
   *
   * @param isLeaving the page is left: the answer does not wait for a draft that is on its way
   */
  send(isLeaving?: boolean): void
  /**
   * The host may be reachable again: sends soon what failed, unless the host asked for a longer pause.
   *
   * @param isAdmitted whether the host just showed the question to this person
   */
  hasten(isAdmitted?: boolean): void
}

export function createDelivery(
  options: () => HostConnectionOptions,
  { getState, getSnapshot, set }: ConnectedSession,
  kept: KeptEntries,
  onView: (view: QuestionView) => void,
): Delivery {
  const { clock = systemClock, random = Math.random } = options()
  let isStopped = false
  let triedAt = 0
  /** How many requests failed in a row. */
  let failures = 0
  /** Until when the host wants to be left alone, and how it said so. */
  let pause: { until: number; error: AskError } | undefined
  let cancelRetry = (): void => {}

  const sendAt = (at: number): void => {
    cancelRetry()
    if (isStopped) return
    cancelRetry = clock.after(at - clock.now(), () => send())
    set(scheduled(getState(), at))
  }

  /** Sends one request at a time, so that no answer overtakes another. Later entries follow in the next request. */
  const send = (isLeaving = false): void => {
    const session = getState()
    const { request } = session
    const { intent } = session.answer
    const { questions, status } = getSnapshot()
    const isDue = intent || !isSaved(session)
    const isBusy = request && !(isLeaving && intent && request.status === 'pending')
    if (!isDue || isBusy || status === 'loading' || isEnded(status)) return
    const now = clock.now()
    if (!intent && pause && now < pause.until) {
      set({ draft: { kind: 'failed', error: pause.error } })
      sendAt(pause.until)
      return
    }
    cancelRetry()
    triedAt = now
    const answer = pageAnswerOf(session, questions)
    set({ request: answer })
    options()
      .transport.send(answer)
      .then(
        (reply) => succeed(answer, reply),
        (cause) => fail(answer, cause),
      )
  }

  const succeed = (answer: PageAnswer, reply: StoredReply): void => {
    const { status, questions, responses } = answer
    kept.allow()
    set(stored(getState(), answer, reply))
    send()
    if (status !== 'declined')
      options().onAnswer?.({ ...answer, answers: encodeAnswers(questions, responses) })
  }

  const fail = (answer: PageAnswer, cause: unknown): void => {
    const error =
      cause instanceof AskError
        ? cause
        : new AskError('UNREACHABLE', 'The answer could not be sent', { cause })
    kept.refuse(error)
    const before = errorOf(getState())
    set(failed(getState(), answer, error))
    const isNewest = errorOf(getState()) === error
    const view = viewIn(error)
    if (view) onView(view)
    pause = { until: clock.now() + hostsPauseMs(error), error }
    if (!isNewest) {
      send()
      return
    }
    failures = before ? failures + 1 : 1
    if (mayTryAgain(error) && error.code !== 'UNAUTHENTICATED')
      sendAt(Math.max(pause.until, clock.now() + retryDelayMs(failures, random())))
  }

  return {
    start() {
      isStopped = false
      send()
    },
    stop() {
      isStopped = true
      cancelRetry()
    },
    send,
    hasten(isAdmitted = false) {
      const error = errorOf(getState())
      if (
        !error ||
        getState().request ||
        !mayTryAgain(error) ||
        (error.code === 'UNAUTHENTICATED' && !isAdmitted)
      )
        return
      const at = Math.max(triedAt + FIRST_RETRY_MS, pause?.until ?? 0)
      if (at > clock.now()) sendAt(at)
      else send()
    },
  }
}
