import { type AskSnapshot, answerTexts } from '@sandagent/core/internal'
import { useEffect, useSyncExternalStore } from 'react'

/** How a question stands in a list, and the texts of all answers: labels and typed words. */
export interface Standing {
  /** `ended`: without an answer. */
  state: 'open' | 'answered' | 'declined' | 'ended'
  answers: string[]
}

export function standingOf({ status, declined, questions, responses }: AskSnapshot): Standing {
  if (status === 'expired') return { state: 'ended', answers: [] }
  if (status === 'declined') return { state: 'declined', answers: [] }
  if (status !== 'sent' && status !== 'received' && status !== 'superseded')
    return { state: 'open', answers: [] }
  if (declined) return { state: 'declined', answers: [] }
  return { state: 'answered', answers: questions.flatMap((question) => answerTexts(question, responses)) }
}

interface KnownQuestion extends Standing {
  toolCallId: string
}

const listeners = new Set<() => void>()
const NOTHING: readonly KnownQuestion[] = []
let known = NOTHING

/** What the forms of this page know of their questions. The messages of the chat say it later. */
export const useKnownQuestions = (): readonly KnownQuestion[] =>
  useSyncExternalStore(
    subscribe,
    () => known,
    () => NOTHING,
  )

/** Adds what a form knows of its question. */
export function useAsKnown(toolCallId: string, snapshot: AskSnapshot): void {
  const standing = JSON.stringify(standingOf(snapshot))
  useEffect(() => {
    const entry: KnownQuestion = { toolCallId, ...JSON.parse(standing) }
    set([...known, entry])
    return () => set(known.filter((other) => other !== entry))
  }, [toolCallId, standing])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: readonly KnownQuestion[]): void {
  known = next
  for (const listener of [...listeners]) listener()
}
