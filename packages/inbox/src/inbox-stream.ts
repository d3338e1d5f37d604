import { AsyncResource } from 'node:async_hooks'
import { deferred } from '@sandagent/core/internal'
import { type EventStreamOptions, eventStream } from '@sandagent/sdk/internal'
import type { InboxCaller } from './inbox-caller.ts'
import type { InboxSandboxes } from './inbox-sandbox.ts'
import type { InboxList, LookAround } from './list-inbox.ts'
import { watchSandboxes } from './watch-inbox.ts'

export interface InboxStreamOptions extends EventStreamOptions {
  sandboxes: InboxSandboxes
  around: LookAround
  /** The caller. `onFailure` is called when `authorize` has failed. */
  callerWith: (onFailure: () => void) => InboxCaller
  /** Makes the list that the stream begins with. A sandbox that is missing from it may reply later. */
  list: () => Promise<InboxList>
}

/**
 * Streams an inbox as server-sent events: first the event `list`, then each change as a `data:` line of JSON. Access is checked
 * for every event. The stream ends when `authorize` fails: the page learns why when it connects again.
 */
export const inboxStream = ({
  sandboxes,
  around,
  callerWith,
  list,
  ...options
}: InboxStreamOptions): ReadableStream<Uint8Array> => {
  // Frameworks bind what `authorize` reads, such as Next's cookies, to the request's async context.
  const bind = AsyncResource.bind
  const firstList = bind(list)
  return eventStream(async function* (signal) {
    const leaving = new AbortController()
    const leave = (): void => leaving.abort()
    signal.addEventListener('abort', leave)
    const caller = callerWith(leave)
    const [show, maySee] = [bind(caller.show), bind(caller.maySee)]
    const missed = new Set<string>()
    const listed = deferred<Set<string>>()
    const looking: LookAround = {
      ...around,
      show,
      wasMissed: (sandboxId) => missed.delete(sandboxId),
      // A question may be answered between the list and the first look of the watch.
      wasListed: async (question) => (await listed.promise).delete(callOf(question)),
    }
    // What changes while the list is made comes after the list.
    const changes = watchSandboxes(sandboxes, looking, leaving.signal)[Symbol.asyncIterator]()
    let next = changes.next()
    try {
      const first = await firstList()
      for (const { sandboxId } of first.unreachable) missed.add(sandboxId)
      const calls = first.questions.map(({ sandboxId, question }) => callOf({ sandboxId, ...question }))
      listed.resolve(new Set(calls))
      yield `event: list\ndata: ${JSON.stringify(first)}\n\n`
      for (;;) {
        const { done, value } = await next
        if (done) return
        if (value.kind === 'question' || (await maySee(value.sandboxId)))
          yield `data: ${JSON.stringify(value)}\n\n`
        next = changes.next()
      }
    } finally {
      leave()
      listed.resolve(new Set())
      // The reader has left: nobody is there to be told.
      next.catch(() => {})
    }
  }, options)
}

const callOf = ({ sandboxId, toolCallId }: { sandboxId: string; toolCallId: string }): string =>
  JSON.stringify([sandboxId, toolCallId])
