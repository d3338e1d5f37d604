import type { AskErrorCode, QuestionView } from '@sandagent/core/internal'
import { useEffect, useReducer, useRef } from 'react'
import type { HttpTransportOptions } from './transport/answer-api.ts'
import { followList } from './transport/list-stream.ts'
import type { ListChange } from './transport/question-stream.ts'

export type UseOpenQuestionsOptions = Pick<HttpTransportOptions, 'headers' | 'fetch' | 'onUnauthorized'>

/** The questions that wait for a person, as far as the page knows. */
export interface OpenQuestions {
  /** Oldest first. A question leaves as soon as it has a final answer, or has ended. */
  questions: readonly QuestionView[]
  /** Until the host has replied for the first time. */
  isLoading: boolean
  /**
   * Why the host does not tell of changes. After `UNAUTHENTICATED` and `FORBIDDEN` there are no questions. After other
   * codes, such as `UNREACHABLE`, the last ones stay, and the page goes on trying. `null` while it follows the host.
   */
  error: { code: AskErrorCode; message: string } | null
}

const NOTHING: OpenQuestions = { questions: [], isLoading: true, error: null }

/**
 * The questions of an answer API that wait and that the person may see, live, for a page without a chat. All uses for one
 * API share one stream.
 */
export function useOpenQuestions(
  answerEndpoint = '/api/answer',
  options: UseOpenQuestionsOptions = {},
): OpenQuestions {
  const latest = useRef({ ...options, answerEndpoint })
  useEffect(() => {
    latest.current = { ...options, answerEndpoint }
  })
  const [known, note] = useReducer(noted, { answerEndpoint, open: NOTHING })
  useEffect(
    () =>
      followList(
        () => latest.current,
        (change) => note({ answerEndpoint, change }),
      ),
    [answerEndpoint],
  )
  return known.answerEndpoint === answerEndpoint ? known.open : NOTHING
}

interface Known {
  answerEndpoint: string
  open: OpenQuestions
}

const noted = (
  known: Known,
  { answerEndpoint, change }: { answerEndpoint: string; change: ListChange },
): Known => {
  const open = known.answerEndpoint === answerEndpoint ? known.open : NOTHING
  return { answerEndpoint, open: changed(open, change) }
}

function changed(open: OpenQuestions, change: ListChange): OpenQuestions {
  if ('questions' in change) return { questions: change.questions, isLoading: false, error: null }
  if ('code' in change) {
    const { code, message } = change
    const isRefused = code === 'UNAUTHENTICATED' || code === 'FORBIDDEN'
    return { questions: isRefused ? [] : open.questions, isLoading: false, error: { code, message } }
  }
  const { question } = change
  const others = open.questions.filter(({ toolCallId }) => toolCallId !== question.toolCallId)
  const questions = question.state === 'open' ? [...others, question].sort(byAge) : others
  // A tab that has just joined others does not know the list yet.
  return open.isLoading ? open : { ...open, questions }
}

const timeOf = ({ askedAt = '' }: QuestionView): number => Date.parse(askedAt) || Number.POSITIVE_INFINITY

/** As the host lists them. */
const byAge = (a: QuestionView, b: QuestionView): number =>
  timeOf(a) - timeOf(b) || (a.toolCallId < b.toolCallId ? -1 : 1)
