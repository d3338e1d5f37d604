import type { Act, Ask, Ending } from '../messages.ts'

/** What the agent got. */
export interface SeenOutcome {
  kind: string
  answer: string | null
  /** The process of the runner. */
  by: string
}

/** An act, and what its person was told so far. */
export interface PlannedAct {
  act: Act
  /** The process that acts. */
  by: string
  ending?: Ending
  /** What the page shows in the end. Only pages show something. */
  shown?: string
  /** The act that must have ended before. */
  follows?: PlannedAct | undefined
}

/** A question, and all that is known of it by reports. */
export interface Case {
  ask: Ask
  run: number
  /** Whether programs write its answer that are not of the product. */
  isForeign: boolean
  isAsked: boolean
  acts: PlannedAct[]
  /** The outcomes that the runners reported. */
  outcomes: SeenOutcome[]
}

/** Whether nothing more will happen to this question. */
export const isOver = ({ acts, outcomes }: Case): boolean => outcomes.length > 0 && acts.every(hasEnded)

/** Whether a person knows how it ended. */
export const hasEnded = ({ ending, shown, by }: PlannedAct): boolean =>
  ending !== undefined && (shown !== undefined || !isPage(by))

const isPage = (name: string): boolean => name.startsWith('page')
