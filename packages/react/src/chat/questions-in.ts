import {
  type AskStatus,
  answerTexts,
  initialState,
  isAskUserQuestionPart,
  questionTitle,
  snapshotOf,
  type ToolPart,
} from '@sandagent/core/internal'

/** A message of a chat, as `useChat` returns it. */
export interface ChatMessage {
  parts: readonly { type: string }[]
}

/** A call of a chat that asks questions, by what its message says. */
export interface ListedQuestion {
  toolCallId: string
  /** The first line of each of its questions. */
  questions: string[]
  /** The texts of all answers: labels and typed words. */
  answers: string[]
  /** `ended`: without an answer. */
  state: 'open' | 'answered' | 'declined' | 'ended'
}

/** The questions of the messages of a chat, in order. */
export function questionsIn(messages: readonly ChatMessage[]): ListedQuestion[] {
  const parts = messages.flatMap(({ parts }) => parts.filter(isAskUserQuestionPart) as ToolPart[])
  return parts.map(listed).filter(({ questions }) => questions.length > 0)
}

function listed(part: ToolPart): ListedQuestion {
  const { status, questions, responses } = snapshotOf(initialState(part))
  return {
    toolCallId: part.toolCallId,
    questions: questions.map(questionTitle),
    answers: questions.flatMap((question) => answerTexts(question, responses)),
    state: STATES[status] ?? 'open',
  }
}

const STATES: Partial<Record<AskStatus, ListedQuestion['state']>> = {
  received: 'answered',
  declined: 'declined',
  expired: 'ended',
}
