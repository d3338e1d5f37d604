// Why it is so: docs/decisions/0098-the-inbox-sends-after-a-pause.md

import {
  AskError,
  hostsPauseMs,
  isAnsweredWith,
  isQuestionView,
  mayTryAgain,
  retryDelayMs,
} from '@sandagent/core/internal'
import { createHttpTransport, type PageAnswer, type Responses } from '@sandagent/react'
import { useSyncExternalStore } from 'react'
import { answerUrl } from '../data/api.ts'
import type { WaitingEntry } from '../data/inbox-state.ts'
import { type Failed, type Given, givenText, notSentYetText, wentWrongText } from './given-text.ts'
import { say, sayOutcome, sayWithUndo } from './news.ts'

/** How long a decision can be taken back before it is sent, in milliseconds. */
const UNDO_MS = 5_000

/** A decision is sent this long before the time of its question runs out, in milliseconds. */
const LAST_MOMENT_MS = 2_000

/** After an answer is stored, the list may still have its question for a moment. In milliseconds. */
const SETTLE_MS = 3_000

/** Browsers send as many characters while a page closes, in all requests together. */
const MOST_CHARS = 8_000
const MOST_CHARS_IN_ALL = 40_000

/** What a person decided in one go: one answer, or those of a batch. */
interface Decision {
  given: readonly Given[]
  chars: number
  state: 'held' | 'sending' | 'retrying' | 'over'
  timer?: ReturnType<typeof setTimeout>
  failures: number
}

let decisions: readonly Decision[] = []
/** The questions whose answers are on their way: no list shows them. */
let keys: ReadonlySet<string> = new Set()
/** What a person had entered, and took back. */
const takenBack = new Map<string, Readonly<Responses>>()
const listeners = new Set<() => void>()

/** The questions whose answers are held, are being sent, or were just sent. */
export const useOutbox = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => keys)

/** What was entered for a question before its answer was taken back, or was refused. */
export const takenBackOf = (key: string): Readonly<Responses> | undefined => takenBack.get(key)

/**
 * Takes what a person decided. It is sent after a pause in which they can take it back, or at once if the page could not send
 * it while it closes.
 *
 * @param onBack called with the key of a question that is to be shown again
 */
export function decide(given: readonly Given[], onBack: (key: string) => void): void {
  const now = Date.now()
  const slim = given.map(({ entry, answer }) => ({
    entry,
    answer: { ...answer, questions: [], answers: {} },
  }))
  const sizes = slim.map(({ answer }) => JSON.stringify(answer).length)
  const chars = sizes.reduce((sum, size) => sum + size, 0)
  const dueAt = Math.min(...given.map(({ entry }) => entry.dueAt ?? Number.POSITIVE_INFINITY))
  const isHeld =
    Math.max(...sizes) < MOST_CHARS && chars < MOST_CHARS_IN_ALL && dueAt - now > UNDO_MS + LAST_MOMENT_MS
  const decision: Decision = { given, chars, state: 'held', failures: 0 }
  for (const { entry } of given) takenBack.delete(entry.key)
  decisions = [...decisions, decision]
  const waiting = decisions.filter(({ state }) => state === 'held')
  let inAll = waiting.reduce((sum, held) => sum + held.chars, 0)
  for (const held of waiting) {
    if (inAll <= MOST_CHARS_IN_ALL || held === decision) break
    inAll -= held.chars
    void send(held)
  }
  if (!isHeld) return void send(decision)
  decision.timer = setTimeout(() => void send(decision), UNDO_MS)
  sayWithUndo(`Sending to ${givenText(given)}`, () => takeBack(decision, onBack), decision)
  update()
}

function takeBack(decision: Decision, onBack: (key: string) => void): void {
  clearTimeout(decision.timer)
  decision.state = 'over'
  for (const { entry, answer } of decision.given) keepDraft(entry, answer)
  update()
  say(`Not sent to ${givenText(decision.given)}`)
  const [first] = decision.given
  if (first) onBack(first.entry.key)
}

/** What was entered is a draft again: on this page, and at the host as far as it can be reached. */
function keepDraft(entry: WaitingEntry, { reason: _, ...answer }: PageAnswer): void {
  if (answer.status === 'declined') return
  takenBack.set(entry.key, answer.responses)
  if (entry.question.kind === 'approval') return
  post(entry, { ...answer, answers: {}, status: 'pending' }).catch((error: unknown) => console.warn(error))
}

/** Sends each answer of a decision by itself, and says what became of them. */
async function send(decision: Decision): Promise<void> {
  clearTimeout(decision.timer)
  decision.state = 'sending'
  sayOutcome(`Sending to ${givenText(decision.given)}`, decision)
  update()
  const sent = await Promise.all(
    decision.given.map(async (given) => ({ given, ...(await outcomeOf(given)) })),
  )
  const refused = sent.filter(({ error }) => error)
  const again = refused.filter(({ error }) => error && mayTryAgain(error) && error.code !== 'UNAUTHENTICATED')
  const lost = refused.filter((each) => !again.includes(each))
  const stored = sent.filter(({ error }) => !error)
  if (stored.length > 0) {
    const given = stored.map((each) => each.given)
    const isVote = stored.some(({ missingVotes }) => missingVotes !== undefined)
    sayOutcome(`${isVote ? 'Your vote for' : 'Sent to'} ${givenText(given)}`, decision)
  }
  for (const { given } of lost) keepDraft(given.entry, given.answer)
  if (lost.length > 0) sayOutcome(wentWrongText(lost), decision, { isBad: true })
  const pauseMs = again.map(({ error }) => (error ? hostsPauseMs(error) : 0))
  if (again.length > 0) tryAgain(decision, again, Math.max(...pauseMs))
  else
    settle(
      decision,
      lost.map(({ given }) => given),
    )
}

interface Sent {
  error?: AskError
  missingVotes?: number | undefined
}

async function outcomeOf({ entry, answer }: Given): Promise<Sent> {
  try {
    return await post(entry, answer)
  } catch (cause) {
    const error =
      cause instanceof AskError
        ? cause
        : new AskError('UNREACHABLE', 'The answer could not be sent', { cause })
    const { question } = error.facts
    // An earlier request has stored it, and its reply was lost.
    const isStored = error.code === 'CONFLICT' && isQuestionView(question) && isAnsweredWith(question, answer)
    return isStored ? {} : { error }
  }
}

const post = ({ sandboxId }: WaitingEntry, answer: PageAnswer) =>
  createHttpTransport({ answerEndpoint: answerUrl(sandboxId) }).send(answer)

function tryAgain(decision: Decision, again: Failed, pauseMs: number): void {
  decision.given = again.map(({ given }) => given)
  decision.state = 'retrying'
  decision.failures += 1
  decision.timer = setTimeout(
    () => void send(decision),
    Math.max(pauseMs, retryDelayMs(decision.failures, Math.random())),
  )
  sayOutcome(notSentYetText(again), decision, { isBad: true })
  update()
}

function settle(decision: Decision, lost: readonly Given[]): void {
  decision.given = decision.given.filter((given) => !lost.includes(given))
  update()
  setTimeout(() => {
    decision.state = 'over'
    update()
  }, SETTLE_MS)
}

function update(): void {
  decisions = decisions.filter(({ state }) => state !== 'over')
  keys = new Set(decisions.flatMap(({ given }) => given.map(({ entry }) => entry.key)))
  for (const listener of [...listeners]) listener()
}

/** Sends what is held: the page may be closed next. */
function flush(): void {
  for (const decision of decisions)
    if (decision.state === 'held' || decision.state === 'retrying') void send(decision)
}

window.addEventListener('pagehide', flush)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') flush()
})
// A page that closes cannot try again.
window.addEventListener('beforeunload', (event) => {
  if (decisions.some(({ state }) => state === 'retrying')) event.preventDefault()
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
