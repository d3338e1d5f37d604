import {
  type AnswerState,
  type AskSession,
  type AskSnapshot,
  findQuestion,
  isEnded,
  type SelectOptions,
} from '@sandagent/core/internal'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { type AnswersByText, answersByText, isAnsweredWith } from './is-selected.ts'
import { knownQuestions } from './page/known-questions.ts'
import { followPage } from './page/page-events.ts'
import { type UseAskUserQuestionOptions, useAskSession } from './use-ask-session.ts'

/** What a person can do, by the text or the id of a question. */
type Actions = Pick<
  AskSession,
  | 'setFreeText'
  | 'setNotes'
  | 'setInput'
  | 'enter'
  | 'skip'
  | 'takeOver'
  | 'submit'
  | 'decline'
  | 'askBack'
  | 'retry'
  | 'undo'
> & {
  /**
   * Picks an option by its label or value. In a multiple choice it toggles the option. The question decides what it is:
   * the parameter `multiSelect` has no effect.
   *
   * @param options `autoSubmit` for this pick alone. `false` is for arrow keys in a radio group. `input`: the edited input
   *   with which a tool call is allowed. `scope`: one of the `scopes`, which is allowed beyond the call
   */
  selectAnswer(question: string, value: string, multiSelect?: boolean, options?: SelectOptions): void
}

/** What a page shows of a question, and what a person can do. Functions take the text or the id of a question. */
export interface UseAskUserQuestionReturn extends Omit<AskSnapshot, 'states'>, Actions {
  /** `responses` as plain text by question text, for pages that only show it. */
  answers: AnswersByText
  /** Whether the answer is stored. */
  isCompleted: boolean
  /** Whether the question still waits for an answer of this person. */
  isWaitingForInput: boolean
  /** Whether the answer is on its way, also if it is sent again by itself. */
  isSubmitting: boolean
  answeredCount: number
  /** `invalid` if the question keeps the answer from being sent. */
  stateOf(question: string): AnswerState
  isSelected(question: string, label: string, multiSelect?: boolean): boolean
}

/**
 * Answers a question that an agent asks: in a chat by `part`, elsewhere by `toolCallId`. It saves drafts, sends the answer, and
 * follows the host while the question waits.
 */
export function useAskUserQuestion(options: UseAskUserQuestionOptions): UseAskUserQuestionReturn {
  const { part, answerEndpoint } = options
  const session = useAskSession(options)
  const snapshot = useSyncExternalStore(session.subscribe, session.getSnapshot, session.getSnapshot)
  const { states, ...shown } = snapshot
  const { status } = shown
  const isSubmitting = status === 'sending' || status === 'retrying'
  const isLive = status !== 'streaming' && !isEnded(status)

  // Once for all that is entered: the question is open meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => knownQuestions.add(snapshot), [session, shown.isEditable || snapshot])
  useEffect(() => part && session.setPart(part), [session, part])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another endpoint needs another stream
  useEffect(() => {
    if (!isLive) return
    const stop = session.start()
    const stopFollowing = followPage({
      onHidden: session.save,
      onLeft: session.leave,
      onReturn: session.hasten,
    })
    return () => {
      stopFollowing()
      stop()
    }
  }, [session, isLive, answerEndpoint])

  const reading = useMemo(() => readingOf(snapshot), [snapshot])
  const actions = useMemo(() => actionsOf(session), [session])
  return {
    ...shown,
    isCompleted: status === 'sent' || status === 'received',
    isWaitingForInput: shown.isEditable || isSubmitting,
    isSubmitting,
    answeredCount: Object.values(states).filter((state) => state === 'answered').length,
    ...reading,
    ...actions,
  }
}

type Reading = Pick<UseAskUserQuestionReturn, 'answers' | 'isSelected' | 'stateOf'>

/** New functions for new responses: the React compiler memoizes by identity and must see the change. */
const readingOf = ({ questions, responses, states }: AskSnapshot): Reading => ({
  answers: answersByText(questions, responses),
  isSelected(question, label) {
    const found = findQuestion(questions, question)
    return found !== undefined && isAnsweredWith(found, responses, label)
  },
  stateOf: (question) => states[findQuestion(questions, question)?.id ?? ''] ?? 'empty',
})

const actionsOf = (session: AskSession): Actions => ({
  ...session,
  selectAnswer: (question, value, _multiSelect, options) => session.select(question, value, options),
})
