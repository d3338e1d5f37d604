import {
  type AnswerTransport,
  type AskSession,
  type AskSessionOptions,
  createAskSession,
} from '@sandagent/core/internal'
import { createHttpTransport } from '@sandagent/react'
import type { Act, Ending, Order } from '../messages.ts'
import { flakyFetch, healNetwork, setPorts } from './faults/flaky-fetch.ts'
import { keptEntries } from './kept-entries.ts'
import { questionsOf } from './questions-of.ts'
import { PERSON_HEADER } from './settings/names.ts'
import { report, settings } from './settings/settings.ts'
import { textOfView } from './text-of-view.ts'

/** How a question has ended, as pages show it. */
const ENDED = ['received', 'declined', 'superseded', 'expired']

/**
 * The browser of one person, without its window: the session and the transport of the real page. When its process is
 * killed and started again, the page is reloaded.
 */
export function startPage(): (order: Order) => void {
  const sessions = new Map<string, AskSession>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit())
  return (order) => {
    if ('heal' in order) healNetwork()
    if ('ports' in order) setPorts(order.ports)
    if ('act' in order) openPage(order.act, sessions)
    if ('send' in order) sessions.get(order.send)?.submit()
  }
}

/** Opens a page on a question, does what the person does, and reports what the person is shown. */
function openPage(act: Act, sessions: Map<string, AskSession>): void {
  let [isViewed, hasEntered, isSaved, hasEnded, isOver] = [false, false, false, false, false]
  const part = {
    type: 'dynamic-tool',
    toolName: 'AskUserQuestion',
    toolCallId: act.toolCallId,
    state: 'input-available',
    input: { questions: questionsOf(act.text) },
  }
  const options: AskSessionOptions = {
    autoSubmit: false,
    undoMs: 0,
    // Half of the browsers keep nothing: then the host alone has the draft.
    drafts: act.isSaved && act.token.length % 2 === 0 ? undefined : keptEntries(act.toolCallId),
    transport: transportOf(act, () => {
      isViewed = true
    }),
    onAnswer({ status, responses }) {
      if (status !== 'pending') return end({ kind: 'acknowledged' })
      if (textOfView({ responses }) !== act.token || isSaved) return
      isSaved = true
      report({ saved: act.act })
    },
  }
  const session = createAskSession(part, () => options)

  const end = (ending: Ending): void => {
    if (hasEnded) return
    hasEnded = true
    report({ ended: act.act, ending })
  }
  const enter = (): void => {
    hasEntered = true
    if (act.isSaved) {
      const { entered } = session.getSnapshot()
      report({ restored: act.act, shown: textOfView({ responses: entered }) })
    } else if (act.manner === 'decline') session.decline(act.token)
    else {
      session.setFreeText('q', act.token)
      if (act.manner === 'send') session.submit()
    }
  }
  const look = (): void => {
    const { status, isEditable, outcome, responses, reason } = session.getSnapshot()
    if (isOver) return
    if (isEditable && isViewed && !hasEntered) enter()
    if (!ENDED.includes(status)) return
    const shown = textOfView({ responses, reason })
    if (status === 'superseded') end({ kind: 'superseded', shown })
    else if (status === 'expired') end({ kind: 'over', shown: outcome })
    else end({ kind: 'acknowledged' })
    isOver = true
    stop()
    unsubscribe()
    sessions.delete(act.act)
    report({ closed: act.act, status })
  }
  // A session tells of changes while it makes them.
  const unsubscribe = session.subscribe(() => queueMicrotask(look))
  // An answer that was meant to be sent is a mere draft if its page was killed before, so it may have to be sent, too.
  sessions.set(act.act, session)
  const stop = session.start()
}

/** The transport of a page over a bad network. */
function transportOf({ run }: Act, onViewed: () => void): AnswerTransport {
  const http = createHttpTransport({
    answerEndpoint: `http://host.invalid/${run}`,
    headers: { [PERSON_HEADER]: settings.name },
    fetch: flakyFetch,
  })
  return {
    send: http.send,
    subscribe(toolCallId, onView, ...rest) {
      const seen: typeof onView = (view) => {
        onViewed()
        onView(view)
      }
      return http.subscribe?.(toolCallId, seen, ...rest) ?? (() => {})
    },
  }
}
