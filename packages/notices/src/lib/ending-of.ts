import type { QuestionView } from '@sandagent/core/internal'
import type { NoticeEnding } from '../notice.ts'

export const GONE: NoticeEnding = { state: 'gone' }

export function endingOf({ state, declined, answeredBy }: QuestionView): NoticeEnding {
  const by = answeredBy === undefined ? {} : { answeredBy }
  if (state === 'open') return GONE
  return { state: state === 'sent' ? (declined ? 'declined' : 'answered') : state, ...by }
}
