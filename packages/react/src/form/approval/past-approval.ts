import {
  type AnswerTransport,
  isDenialText,
  type QuestionView,
  systemClock,
  type ToolPart,
  toolNameOf,
} from '@sandagent/core/internal'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { createHttpTransport } from '../../transport/http-transport.ts'
import type { AskOptions } from '../../use-ask-session.ts'

/** How long to ask a host about an approval that is over. A host that knows the question answers at once. */
const PAST_APPROVAL_MS = 5_000

/** The approval of a call that was over when the page was loaded. */
export interface PastApproval {
  /** Its place on the page: the host is asked when a person scrolls near. */
  place: RefObject<HTMLSpanElement | null>
  /** `null` until the host or the message says something. */
  view: QuestionView | null
}

/** Asks the host once what was decided about a call. If the host does not say, the message may. */
export function usePastApproval(options: AskOptions & { part: ToolPart }): PastApproval {
  const { part } = options
  const place = useRef<HTMLSpanElement>(null)
  const latest = useRef(options)
  const [known, setKnown] = useState<QuestionView | null>(null)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const transport = latest.current.transport ?? createHttpTransport(() => latest.current)
    return whenNear(place.current, () => lookUp(transport, part.toolCallId, setKnown))
  }, [part.toolCallId])
  return { place, view: known ?? denialIn(part) }
}

/**
 * Asks once how a question ended. It ignores a question that is still open. The returned function gives up.
 */
function lookUp(
  transport: AnswerTransport,
  toolCallId: string,
  onView: (view: QuestionView) => void,
): () => void {
  const stop = transport.subscribe?.(toolCallId, (view) => {
    if (view.state === 'open') return
    onView(view)
    // Not during the call of `subscribe`: `stop` is not there yet.
    queueMicrotask(end)
  })
  const stopTimer = systemClock.after(PAST_APPROVAL_MS, () => end())
  const end = (): void => {
    stopTimer()
    stop?.()
  }
  return end
}

/** A part and a host that show this view and nothing else. */
export const replay = (
  part: ToolPart,
  view: QuestionView,
): { part: ToolPart; transport: AnswerTransport } => ({
  part: { ...part, state: 'input-available', output: undefined, errorText: undefined },
  transport: {
    send: () => new Promise(() => {}),
    subscribe(_, onView) {
      onView(view)
      return () => {}
    },
  },
})

/** A denial, if the message tells of one. An allowed call looks like a call that needed no approval. */
function denialIn(part: ToolPart): QuestionView | null {
  const { toolCallId, state, errorText } = part
  if (state !== 'output-denied' && !isDenialText(errorText ?? '')) return null
  return {
    toolCallId,
    kind: 'approval',
    state: 'declined',
    questions: [{ id: 'permission', question: '' }],
    subject: { toolName: toolNameOf(part), input: Object(part.input) },
    responses: {},
    revision: 0,
    declined: true,
    deadline: null,
    remainingMs: null,
  }
}

/** Acts when an element comes into sight, or at once if the browser cannot tell. The returned function undoes it. */
function whenNear(element: Element | null, act: () => () => void): () => void {
  if (!element || !globalThis.IntersectionObserver) return act()
  let undo = (): void => {}
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    undo = act()
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    undo()
  }
}
