import type { AskSnapshot } from '@sandagent/core/internal'
import { useEffect } from 'react'
import { createPageList, type PageList } from './page-list.ts'

/** What the forms of this page know of their questions. The messages of the chat say it later. */
export const knownQuestions: PageList<AskSnapshot> = createPageList(() => 0)

/** Adds what a form knows of its question, once for all that is entered: the question is open meanwhile. */
export function useAsKnown(snapshot: AskSnapshot): void {
  const { toolCallId, isEditable } = snapshot
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => knownQuestions.add(snapshot), [toolCallId, isEditable || snapshot])
}
