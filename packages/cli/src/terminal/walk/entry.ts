import { isDone, type OpenQuestion } from '../session/open-session.ts'
import type { WaitingItem } from './waiting.ts'

/** A question of the walk, with its session once it was read. */
export interface Entry {
  item: WaitingItem
  open?: OpenQuestion
}

export type OpenEntry = Required<Entry>

/** Answers that were given in one go: one, or those of a batch. */
export interface Decided {
  entries: readonly OpenEntry[]
  /** Where they go, and what they say. */
  text: string
}

/** Equal approvals that are decided together. */
export interface Batch {
  toolName: string
  entries: readonly OpenEntry[]
}

/** What is shown. */
export interface WalkView {
  entry: Entry | null
  /** The place of the question in what waits, from 1, and how many there are. */
  place: number
  count: number
  batch: Batch | null
  /** The last decision that has not arrived yet. */
  decided: Decided | null
}

/** What has become of a question. `refused`: the answer was not taken. `decided`: it is on its way, and was not before. */
export function stageOf(open: OpenQuestion, isUnderway: boolean): 'open' | 'decided' | 'refused' | 'over' {
  const snapshot = open.session.getSnapshot()
  const { status, unsaved } = snapshot
  if (open.replaced() || (isUnderway && status === 'failed' && !unsaved)) return 'refused'
  if (isDone(snapshot) || (status === 'voted' && open.hasSubmitted())) return 'over'
  return open.held.get() && !isUnderway ? 'decided' : 'open'
}
