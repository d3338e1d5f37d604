import type { InboxQuestion } from '@sandagent/inbox'
import type { PendingNotice } from './send-notice.ts'

/** A question that waits, and the notices about it. */
export interface Waiting {
  asked: InboxQuestion
  key: string
  /** `null` until it is known which ones were sent before. */
  notices: PendingNotice[] | null
  /** The messages that are under way. */
  sending: Set<Promise<void>>
  /** Its sandbox has left the inbox while messages about it were under way. It may come back. */
  isAway: boolean
}

/** The questions that wait, by sandbox: one of them may have thousands, of which only the first ones have notices. */
export interface WaitingQuestions {
  all(): Waiting[]
  /** Those of each sandbox, in the order in which they came. */
  bySandbox(): Iterable<Iterable<Waiting>>
  of(sandboxId: string): Iterable<Waiting>
  find(asked: InboxQuestion): Waiting | undefined
  add(question: Waiting): void
  remove(question: Waiting): void
}

export function createWaitingQuestions(): WaitingQuestions {
  const sandboxes = new Map<string, Map<string, Waiting>>()
  const bySandbox = (): Iterable<Waiting>[] => [...sandboxes.values()].map((calls) => calls.values())
  return {
    bySandbox,
    all: () => bySandbox().flatMap((calls) => [...calls]),
    of: (sandboxId) => [...(sandboxes.get(sandboxId)?.values() ?? [])],
    find: ({ sandboxId, question }) => sandboxes.get(sandboxId)?.get(question.toolCallId),
    add(waiting) {
      const { sandboxId, question } = waiting.asked
      const calls = sandboxes.get(sandboxId) ?? new Map<string, Waiting>()
      sandboxes.set(sandboxId, calls.set(question.toolCallId, waiting))
    },
    remove({ asked: { sandboxId, question } }) {
      const calls = sandboxes.get(sandboxId)
      calls?.delete(question.toolCallId)
      if (calls?.size === 0) sandboxes.delete(sandboxId)
    },
  }
}
