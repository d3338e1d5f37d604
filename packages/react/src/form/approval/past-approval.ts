import type { AnswerTransport, QuestionView, ToolPart } from '@sandagent/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { lazyHttpTransport } from '../../transport/lazy-http-transport.ts'
import type { UseAskUserQuestionOptions } from '../../use-ask-user-question.ts'
import { lookUp } from '../look-up.ts'

/** The permission for a call that was over when the page came, as far as anybody tells of it. */
export interface PastApproval {
  /** Where it stands on the page: nobody is asked before a person comes near. */
  place: RefObject<HTMLSpanElement | null>
  view: QuestionView | null
}

/** Asks the host once what became of a call's permission; until it tells, and where it does not, the message does. */
export function usePastApproval(options: UseAskUserQuestionOptions): PastApproval {
  const { part } = options
  const place = useRef<HTMLSpanElement>(null)
  const latest = useRef(options)
  const [told, setTold] = useState<QuestionView | null>(null)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const transport = latest.current.transport ?? lazyHttpTransport(() => latest.current)
    return whenNear(place.current, () => lookUp(transport, part.toolCallId, setTold))
  }, [part.toolCallId])
  return { place, view: told ?? denialIn(part) }
}

/** A part and a host that say nothing but what `view` does: over, with nothing to be sent. */
export const replay = (
  part: ToolPart,
  view: QuestionView,
): { part: ToolPart; transport: AnswerTransport } => ({
  part: { ...part, state: 'input-available', output: undefined, errorText: undefined },
  transport: {
    send: () => new Promise(() => {}),
    watch(_, onView) {
      onView(view)
      return () => {}
    },
  },
})

/** How runners tell the model of a denial. */
const DENIED = /^\S+ was not run\. The user denied it/

/** What the message alone tells: a denial. A call that was allowed looks like one that nobody was asked about. */
function denialIn({ toolCallId, state, errorText, type, toolName, input }: ToolPart): QuestionView | null {
  if (state !== 'output-denied' && !DENIED.test(errorText ?? '')) return null
  return {
    toolCallId,
    kind: 'approval',
    state: 'declined',
    questions: [{ id: 'permission', question: '' }],
    subject: { toolName: toolName ?? type.replace(/^tool-/, ''), input: Object(input) },
    responses: {},
    revision: 0,
    declined: true,
    deadline: null,
    remainingMs: null,
  }
}

/** Acts once an element comes into sight, at once where a browser cannot tell; the returned function undoes it. */
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
