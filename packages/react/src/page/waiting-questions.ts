import { type RefObject, useEffect, useRef } from 'react'
import { createPageList, usePageList } from './page-list.ts'

/** A question or an approval on this page that waits for a person. */
export interface WaitingQuestion {
  toolCallId: string
  kind: 'question' | 'approval'
  /** The text of its first question. */
  title: string
  /** The text of the question that a typed text would answer next, if there is one. */
  typedQuestion: string | undefined
  /** The element that shows it. */
  element: HTMLElement
  /** Brings it into sight and moves the focus there. */
  show(): void
  /** Answers `typedQuestion`. A call with one question is sent then. */
  answerWith(text: string): void
}

const waiting = createPageList<WaitingQuestion>(({ element: a }, { element: b }) =>
  a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1,
)

/** The questions of this page that wait, in the order of the page. */
export const useWaitingQuestions = (): readonly WaitingQuestion[] => usePageList(waiting)

export const getWaitingQuestions: () => readonly WaitingQuestion[] = waiting.get

/** Adds a question to those that wait. `null` for one that does not wait. */
export function useAsWaiting(
  root: RefObject<HTMLElement | null>,
  given: Omit<WaitingQuestion, 'element'> | null,
): void {
  const latest = useRef(given)
  useEffect(() => {
    latest.current = given
  })
  const { toolCallId, kind, title, typedQuestion } = given ?? {}
  useEffect(() => {
    const element = root.current
    if (!element || toolCallId === undefined || kind === undefined || title === undefined) return
    return waiting.add({
      toolCallId,
      kind,
      title,
      typedQuestion,
      element,
      show: () => latest.current?.show(),
      answerWith: (text) => latest.current?.answerWith(text),
    })
  }, [root, toolCallId, kind, title, typedQuestion])
}
