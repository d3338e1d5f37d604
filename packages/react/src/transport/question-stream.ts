import {
  type AskErrorCode,
  type Clock,
  isStreamReport,
  type QuestionView,
  type StreamReport,
} from '@sandagent/core/internal'
import { keepStreamOpen } from './resilient-stream.ts'

/** Questions come and go together. A stream is opened when the set of questions did not change for this long. */
const GATHER_QUESTIONS_MS = 20

/** The most questions of one stream: their ids must fit into a URL. */
const QUESTIONS_PER_STREAM = 50

/** Reports the views of a set of questions, until it is closed. */
export interface QuestionStream {
  /** Changes the set. Each question is reported as it is now, also one that was in the set before. */
  setQuestions(toolCallIds: readonly string[]): void
  /** Asks the host again at once: the last views may be old. */
  refresh(): void
  close(): void
}

/** A change of the questions that wait: all of them, one of them, or why they cannot be had. */
export type ListChange =
  | { questions: QuestionView[] }
  | { question: QuestionView }
  | { code: AskErrorCode; message: string }

/** What tells of a list has an id that no question has. */
export type ListReport = { toolCallId: '' } & ListChange

/** What a stream tells the subscribers of a question, or of a list. */
export type Report = StreamReport | ListReport

/** Takes the name and the object of an event. */
export type OnEvent = (event: string, data: Record<string, unknown>) => void

/** Opens a stream whose connections `connect` makes. */
export type OpenStream = (
  connect: Connect,
  onReport: (report: Report) => void,
  clock: Clock,
) => QuestionStream

/** Opens an event stream of views. */
export type Connect = (toolCallIds: readonly string[], signal: AbortSignal) => Promise<Response>

/**
 * Streams many questions over one connection. Over HTTP/1.1 a browser opens six connections to a host, and the answer
 * needs one. Older hosts know one question per stream: there, each question has its own connection.
 */
export function openQuestionStream(
  connect: Connect,
  onReport: (report: Report) => void,
  clock: Clock,
  onEvent: OnEvent = (_, data) => {
    // The first event has those that the host does not show.
    for (const report of Array.isArray(data.refused) ? data.refused : [data])
      if (isStreamReport(report)) onReport(report)
  },
): QuestionStream {
  let isOneByOne = false
  let wanted: readonly string[] = []
  let connections: (() => void)[] = []
  let cancelOpening = (): void => {}

  const close = (): void => {
    cancelOpening()
    for (const stop of connections) stop()
    connections = []
  }

  const open = (): void => {
    close()
    const onOneByOne = (): void => {
      isOneByOne = true
      open()
    }
    connections = groupsOf(wanted, isOneByOne ? 1 : QUESTIONS_PER_STREAM).map((group) =>
      keepStreamOpen({
        connect: (signal) => connect(group, signal),
        onEvent,
        onRefused({ code, message }) {
          for (const toolCallId of group) onReport({ toolCallId, code, message })
        },
        onOneByOne: group.length > 1 ? onOneByOne : undefined,
        clock,
      }),
    )
  }

  return {
    setQuestions(toolCallIds) {
      wanted = toolCallIds
      cancelOpening()
      cancelOpening = clock.after(GATHER_QUESTIONS_MS, open)
    },
    refresh: open,
    close,
  }
}

const groupsOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
