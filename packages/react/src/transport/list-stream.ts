import { isQuestionView } from '@sandagent/core/internal'
import { type CurrentOptions, connectTo, subscribeTo } from './answer-api.ts'
import { type ListChange, type ListReport, type OpenStream, openQuestionStream } from './question-stream.ts'

/** In the place of an id: a list is for all questions. */
const ALL = ''

/**
 * Follows all questions that wait, until the returned function is called. All lists of a page and its tabs share one stream.
 */
export const followList = (current: CurrentOptions, onChange: (change: ListChange) => void): (() => void) =>
  subscribeTo(
    current,
    {
      toolCallId: ALL,
      connect: (_, signal) => connectTo(current)([], signal),
      onReport: (change: ListReport) => onChange(change),
    },
    openListStream,
    'list ',
  )

const openListStream: OpenStream = (connect, onReport, clock) =>
  openQuestionStream(connect, onReport, clock, (event, data) => {
    if (event === 'list' && Array.isArray(data.questions))
      onReport({ toolCallId: ALL, questions: data.questions.filter(isQuestionView) })
    else if (isQuestionView(data)) onReport({ toolCallId: ALL, question: data })
  })
