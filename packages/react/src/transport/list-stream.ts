import { AskError, isQuestionView } from '@sandagent/core/internal'
import { type CurrentOptions, connectTo, subscribeTo } from './answer-api.ts'
import {
  type Connect,
  type ListChange,
  type ListReport,
  type OnEvent,
  type OpenStream,
  openQuestionStream,
} from './question-stream.ts'
import { readReply } from './read-reply.ts'

/** In the place of an id: a list is for all questions. */
const ALL = ''

const report = (change: ListChange): ListReport => ({ toolCallId: ALL, ...change })

/** Follows all questions that wait, until the returned function is called. All lists of a page and its tabs share one stream. */
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

const openListStream: OpenStream = (connect, onReport, clock) => {
  const telling: Connect = async (toolCallIds, signal) => {
    const tell = (cause: unknown): void => {
      const { code, message } =
        cause instanceof AskError
          ? cause
          : { code: 'UNREACHABLE' as const, message: 'The answer API cannot be reached' }
      if (!signal.aborted) onReport(report({ error: { code, message } }))
    }
    try {
      const response = await connect(toolCallIds, signal)
      if (!response.ok) await readReply(response.clone()).catch(tell)
      return response
    } catch (cause) {
      tell(cause)
      throw cause
    }
  }
  const onEvent: OnEvent = (event, data) => {
    if (event === 'list' && Array.isArray(data.questions))
      onReport(report({ questions: data.questions.filter(isQuestionView) }))
    else if (isQuestionView(data)) onReport(report({ question: data }))
  }
  return openQuestionStream(telling, onReport, clock, onEvent)
}
