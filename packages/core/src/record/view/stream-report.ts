import { isPresence, type Presence } from '../people/presence.ts'
import { isQuestionView, type QuestionView } from './question-view.ts'

/** What a stream tells of a question. */
export type StreamReport = QuestionView | Presence

/** Whether an event of a stream, or a message of another tab, tells of a question. */
export const isStreamReport = (value: unknown): value is StreamReport =>
  isQuestionView(value) || isPresence(value)
