import {
  type AskSnapshot,
  answerTexts,
  initialState,
  isAskUserQuestionPart,
  questionTitle,
  snapshotOf,
  type ToolPart,
} from '@sandagent/core/internal'
import { knownQuestions } from '../page/known-questions.ts'
import { usePageList } from '../page/page-list.ts'
import { useWaitingQuestions } from '../page/waiting-questions.ts'

/** A message of a chat, as `useChat` returns it. */
export interface ChatMessage {
  parts: readonly { type: string }[]
}

/** How a question stands in a list, and the texts of all answers: labels and typed words. */
interface ListedState {
  /** `ended`: without an answer. */
  state: 'open' | 'answered' | 'declined' | 'ended'
  answers: string[]
}

/** A call of a chat that asks questions. */
export interface ListedQuestion extends ListedState {
  toolCallId: string
  /** The first line of each of its questions. */
  questions: string[]
}

/**
 * The questions of the messages of a chat, in order, then the approvals that wait. While a message has no answer yet, what
 * the form of the question knows counts.
 */
export function useListedQuestions(messages: readonly ChatMessage[]): ListedQuestion[] {
  const known = usePageList(knownQuestions)
  const approvals = useWaitingQuestions().filter(({ kind }) => kind === 'approval')
  return [
    ...questionsIn(messages).map((question) => {
      const form =
        question.state === 'open' && known.find(({ toolCallId }) => toolCallId === question.toolCallId)
      return form ? { ...question, ...listedStateOf(form) } : question
    }),
    ...approvals.map(({ toolCallId, title }) => ({
      toolCallId,
      questions: [title],
      answers: [],
      state: 'open' as const,
    })),
  ]
}

function questionsIn(messages: readonly ChatMessage[]): ListedQuestion[] {
  const parts = messages.flatMap(({ parts }) => parts.filter(isAskUserQuestionPart) as ToolPart[])
  return parts.map(listed).filter(({ questions }) => questions.length > 0)
}

function listed(part: ToolPart): ListedQuestion {
  const snapshot = snapshotOf(initialState(part))
  return {
    toolCallId: part.toolCallId,
    questions: snapshot.questions.map(questionTitle),
    ...listedStateOf(snapshot),
  }
}

function listedStateOf({ status, declined, questions, responses }: AskSnapshot): ListedState {
  if (status === 'expired') return { state: 'ended', answers: [] }
  if (status === 'declined') return { state: 'declined', answers: [] }
  if (status !== 'sent' && status !== 'received' && status !== 'superseded')
    return { state: 'open', answers: [] }
  if (declined) return { state: 'declined', answers: [] }
  return { state: 'answered', answers: questions.flatMap((question) => answerTexts(question, responses)) }
}
