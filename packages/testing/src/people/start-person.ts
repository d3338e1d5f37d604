import {
  AskError,
  type Clock,
  checkOptions,
  type HostChannel,
  isFinal,
  parseAnswerRequest,
  type QuestionRecord,
  sleep,
  systemClock,
} from '@sandagent/core/internal'
import { type AnswerableSandbox, channelOf, storeAnswer, submitAnswer } from '@sandagent/sdk/internal'
import type { Act, Reply, SeenCall } from './act.ts'

export interface PersonOptions {
  /** The clock of the person's delays, and of the answers' times. Default: the system's. */
  clock?: Clock | undefined
  /** The person's name, as a host would store it. Default: the host does not know it. */
  answeredBy?: string | undefined
}

/** A scripted person at work. */
export interface Person {
  /**
   * Resolves when every act of the list is done, or after `stop`, with what the host said to each answer. Rejects as soon as
   * an act fails. Await it beside the agent, so that the test fails at once: `Promise.all([askUser(…), person.done])`.
   */
  readonly done: Promise<readonly Reply[]>
  /** Ends the person: what they have not begun to send is not sent. Rejects if an act failed. */
  stop(): Promise<void>
}

/**
 * Starts a person who answers questions, for tests of an agent. The first question call gets the first act of the list, the
 * second call the second one, and so on; later calls get none. A single act without a list is for every call, until `stop`.
 *
 * @param place where the questions are: the host's end of a channel, or a sandbox. Answers in a sandbox are signed as the
 *   host's own are.
 */
export function startPerson(
  place: HostChannel | AnswerableSandbox,
  acts: Act | readonly Act[],
  options: PersonOptions = {},
): Person {
  checkOptions('startPerson: its options', options, { clock: 'clock', answeredBy: true })
  const { clock = systemClock, answeredBy } = options
  const startedAt = clock.now()
  const stop = new AbortController()
  const { channel, store } = hostOf(place, { clock, answeredBy })
  const replies: Reply[] = []

  const callOf = (record: QuestionRecord): SeenCall => {
    const { toolCallId } = record
    // Another clock may have made the time of the question.
    let time = Math.min(Math.max(Date.parse(record.askedAt), startedAt), clock.now())
    return {
      record,
      async send(answer) {
        stop.signal.throwIfAborted()
        try {
          const stored = await store({ ...answer, toolCallId })
          replies.push({ toolCallId, stored })
          return stored
        } catch (error) {
          if (error instanceof AskError) replies.push({ toolCallId, refused: error })
          throw error
        }
      },
      async wait(ms) {
        time += ms
        await sleep(clock, Math.max(0, time - clock.now()), stop.signal)
        stop.signal.throwIfAborted()
      },
    }
  }

  const perform = async (act: Act, call: SeenCall): Promise<void> => {
    try {
      await act(call)
    } catch (error) {
      if (!stop.signal.aborted) throw error
    }
  }

  const work = async (): Promise<readonly Reply[]> => {
    const begun: Promise<void>[] = []
    const hasFailed = new AbortController()
    const calls = newCalls(channel, AbortSignal.any([stop.signal, hasFailed.signal]))
    for (const act of typeof acts === 'function' ? forever(acts) : acts) {
      const { value: record } = await calls.next()
      if (!record) break
      const performing = perform(act, callOf(record))
      performing.catch(() => hasFailed.abort())
      begun.push(performing)
    }
    await calls.return(undefined)
    await Promise.all(begun)
    return replies
  }

  const done = work()
  // Whoever awaits `done` or `stop` gets the failure. Until then it must not end the process.
  done.catch(() => {})
  return {
    done,
    async stop() {
      stop.abort()
      await done
    },
  }
}

/** The records of questions that nobody has answered, each once, until the signal aborts. */
async function* newCalls(
  channel: HostChannel,
  signal: AbortSignal,
): AsyncGenerator<QuestionRecord, undefined, undefined> {
  const seen = new Set<string>()
  for await (const { record, answerFile } of channel.subscribe(signal)) {
    const isWaiting = record?.state === 'open' && !(answerFile && isFinal(answerFile))
    if (!isWaiting || seen.has(record.nonce)) continue
    seen.add(record.nonce)
    yield record
  }
}

function* forever(act: Act): Generator<Act, never> {
  for (;;) yield act
}

type Store = (request: Parameters<typeof submitAnswer>[1]) => ReturnType<typeof submitAnswer>

/** How a person learns of questions there, and stores answers. */
function hostOf(
  place: HostChannel | AnswerableSandbox,
  options: { clock: Clock; answeredBy: string | undefined },
): { channel: HostChannel; store: Store } {
  if ('subscribe' in place)
    return {
      channel: place,
      store: async (request) => storeAnswer(place, parseAnswerRequest(request), options),
    }
  return {
    channel: channelOf(place, { clock: options.clock }),
    store: (request) => submitAnswer(place, request, options),
  }
}
