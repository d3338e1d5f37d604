import { encodeAnswers } from '../answer/answer-text.ts'
import { systemClock } from '../lib/clock.ts'
import { AskError } from '../lib/errors.ts'
import { isQuestionView, type QuestionView } from '../record/view/question-view.ts'
import { isEnded } from './ask-status.ts'
import type { ConnectedSession, HostConnectionOptions, StoredReply } from './connection-options.ts'
import { type PageAnswer, pageAnswerOf } from './page-answer.ts'
import { FIRST_RETRY_MS, hostsPauseMs, mayTryAgain, retryDelayMs } from './retry.ts'

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

interface DeliveryOptions extends HostConnectionOptions {
  onView(view: QuestionView): void
  onStored(): void
  onRejected(error: AskError): void
}

export function createDelivery(
  options: DeliveryOptions,
  { getState, getSnapshot, set }: ConnectedSession,
): Delivery {
  const { clock = systemClock, random = Math.random } = options
  let isStopped = false
  let triedAt = 0
  /** Until when the host wants to be left alone, and how it said so. */
  let pause: { until: number; error?: AskError } = { until: 0 }
  let cancelRetry = (): void => {}

  const sendAt = (at: number): void => {
    cancelRetry()
    if (isStopped) return
    cancelRetry = clock.after(at - clock.now(), () => send())
    set({ retryAt: at })
  }

  /** Sends one request at a time, so that no answer overtakes another. Later entries follow in the next request. */
  const send = (isLeaving = false): void => {
    const { intent, saveDue, inFlight, failures, draft, view } = getState()
    const isBusy = inFlight && !(isLeaving && intent && inFlight.status === 'pending')
    const { toolCallId, questions, ...snapshot } = getSnapshot()
    if (!(intent || saveDue) || isBusy || isEnded(snapshot.status)) return
    if (!intent && clock.now() < pause.until) {
      set({ failures: failures || 1, error: pause.error })
      sendAt(pause.until)
      return
    }
    cancelRetry()
    triedAt = clock.now()
    const as = intent ?? { status: 'pending', questionDigest: view?.questionDigest, askedAt: view?.askedAt }
    const answer = pageAnswerOf(draft, { toolCallId, questions, traceparent: view?.traceparent }, as)
    set({ saveDue: false, inFlight: answer, dirty: false, retryAt: undefined })
    options.transport.send(answer).then(
      (reply) => succeed(answer, reply),
      (cause) => fail(answer, cause),
    )
  }

  const succeed = (answer: PageAnswer, { revision = 0, missingVotes }: StoredReply): void => {
    const { inFlight, intent, error, failures, ...state } = getState()
    const { status, questions, responses } = answer
    const isNewest = intent === undefined || status !== 'pending'
    options.onStored()
    set({
      inFlight: inFlight === answer ? undefined : inFlight,
      revision: Math.max(state.revision, revision),
      ...(isNewest && { failures: 0, error: failures > 0 ? undefined : error }),
      ...(status !== 'pending' && {
        ...(missingVotes !== undefined ? { voted: true } : { stored: status }),
        intent: undefined,
        saveDue: false,
      }),
    })
    send()
    if (status !== 'declined') options.onAnswer?.({ ...answer, answers: encodeAnswers(questions, responses) })
  }

  const fail = (answer: PageAnswer, cause: unknown): void => {
    const error =
      cause instanceof AskError
        ? cause
        : new AskError('UNREACHABLE', 'The answer could not be sent', { cause })
    const { code, facts } = error
    options.onRejected(error)
    const { intent, failures, inFlight } = getState()
    const view = isQuestionView(facts.question) ? facts.question : undefined
    const isNewest = (intent !== undefined) === (answer.status !== 'pending')
    // An earlier request of this person stored an answer, and its reply was lost.
    const isOwn = code === 'CONFLICT' && view?.byOther === false
    const isToSend = isNewest && !isOwn && mayTryAgain(error)
    const refused = code === 'CONFLICT' ? 'superseded' : code === 'GONE' ? 'expired' : undefined
    set({
      inFlight: inFlight === answer ? undefined : inFlight,
      ...(isNewest && isOwn && { intent: undefined }),
      ...(isNewest && !isOwn && { dirty: true, failures: failures + 1, error }),
      ...(isNewest && !isOwn && !intent && { saveDue: true, refused }),
      ...(isNewest && !isOwn && intent && !isToSend && { intent: undefined, rejected: intent, refused }),
    })
    if (view) options.onView(view)
    pause = { until: clock.now() + hostsPauseMs(error), error }
    if (!isNewest) send()
    else if (isToSend && code !== 'UNAUTHENTICATED')
      sendAt(Math.max(pause.until, clock.now() + retryDelayMs(failures + 1, random())))
  }

  return {
    start() {
      isStopped = false
      if (getState().intent) send()
    },
    stop() {
      isStopped = true
      cancelRetry()
    },
    send,
    hasten(isAdmitted = false) {
      const { failures, error, inFlight, intent, saveDue } = getState()
      if (failures === 0 || !error || inFlight || !(intent || saveDue)) return
      if (!mayTryAgain(error) || (error.code === 'UNAUTHENTICATED' && !isAdmitted)) return
      const at = Math.max(triedAt + FIRST_RETRY_MS, pause.until)
      if (at > clock.now()) sendAt(at)
      else send()
    },
  }
}
