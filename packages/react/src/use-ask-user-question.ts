import {
  type AnswerState,
  type ApprovalSubject,
  type AskError,
  type AskedQuestion,
  type Asker,
  type AskSession,
  type AskStatus,
  findQuestion,
  isEnded,
  type OutcomeKind,
  type Responses,
} from '@sandagent/core/internal'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { type AnswersByText, answersByText, isAnsweredWith } from './answers-by-text.ts'
import { onPageHidden } from './transport/page-visibility.ts'
import { type UseAskUserQuestionOptions, useAskSession } from './use-ask-session.ts'

/** What a page shows of a question, and what a person can do. Functions take the text or the id of a question. */
export interface UseAskUserQuestionReturn {
  questions: AskedQuestion[]
  /** By question id: what was entered here, then what the host or the agent confirmed. */
  responses: Readonly<Responses>
  /** `responses` as plain text by question text, for pages that only show it. */
  answers: AnswersByText
  /** What was entered here, in the shape of `responses`, also if somebody else's answer counts. */
  entered: Readonly<Responses>
  status: AskStatus
  /** Whether the answer is stored. */
  isCompleted: boolean
  /** Whether the question still waits for an answer. */
  isWaitingForInput: boolean
  /** Whether a person can enter something: the question waits, and no answer is on its way. */
  isEditable: boolean
  /** Whether the answer is on its way. */
  isSubmitting: boolean
  answeredCount: number
  /** Ids of the questions without an answer. */
  unanswered: readonly string[]
  /** Ids of the questions that still need an answer. Filled when `submit` was called too early. */
  missing: readonly string[]
  /** `invalid` if the question keeps the answer from being sent. */
  stateOf(question: string): AnswerState
  /** `approval` asks for permission to use the tool of `subject`. */
  kind: 'question' | 'approval'
  /** The tool call to approve, as the host knows it. Show this, not what the message says. */
  subject: ApprovalSubject | undefined
  /** The subagent that asks, if the host says so. */
  asker: Asker | undefined
  /** When the agent stops waiting, in milliseconds since 1970, or `null` for never. */
  deadline: number | null
  /** Who answered, if the host says so. */
  answeredBy: string | undefined
  /** When the final answer was stored, in milliseconds since 1970 by the host's clock, or `null`. */
  answeredAt: number | null
  /** Whether the question was declined. */
  declined: boolean
  /** Why the person declined, in their words. */
  reason: string | undefined
  /** How the question ended for the agent, if the host says so. */
  outcome: OutcomeKind | null
  /** Whether the run has ended. An answer is kept until the run is started again. */
  runEnded: boolean
  /** Whether a draft `failed`, not an answer. The next entry tries again. */
  unsaved: boolean
  /** What went wrong. No entry is lost. */
  error: AskError | null
  /** Whether the person must sign in first. Then call `retry`. */
  unauthorized: boolean
  /**
   * Picks an option by its label or value. In a multiple choice it toggles the option. The question decides what it is:
   * the parameter `multiSelect` has no effect.
   *
   * @param options `autoSubmit: false` picks without submitting, for arrow keys in a radio group
   */
  selectAnswer(
    question: string,
    value: string,
    multiSelect?: boolean,
    options?: { autoSubmit?: boolean | undefined },
  ): void
  isSelected(question: string, label: string, multiSelect?: boolean): boolean
  setFreeText(question: string, text: string): void
  setNotes(question: string, notes: string): void
  /** Passes over a question on purpose. */
  skip(question: string): void
  /** Sends the answer. Missing answers are an `error`. With `partial`, their questions are skipped. */
  submit(options?: { partial?: boolean | undefined }): void
  /** Declines to answer. */
  decline(reason?: string): void
  /** Sends again what failed. */
  retry(): void
}

/**
 * Answers a question that an agent asks in a chat. It saves drafts, sends the answer, and follows the host while the
 * question waits.
 */
export function useAskUserQuestion(options: UseAskUserQuestionOptions): UseAskUserQuestionReturn {
  const { part, answerEndpoint } = options
  const session = useAskSession(options)
  const snapshot = useSyncExternalStore(session.subscribe, session.getSnapshot, session.getSnapshot)
  const { toolCallId: _, states, ...shown } = snapshot
  const { questions, responses, status, unanswered } = shown
  const isLive = status !== 'streaming' && !isEnded(status)

  useEffect(() => session.setPart(part), [session, part])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another endpoint needs another stream
  useEffect(() => {
    if (!isLive) return
    const stop = session.start()
    const stopListening = onPageHidden(session.save)
    return () => {
      stopListening()
      stop()
    }
  }, [session, isLive, answerEndpoint])

  const reading = useMemo(() => readingOf(questions, responses, states), [questions, responses, states])
  const actions = useMemo(() => actionsOf(session), [session])
  return {
    ...shown,
    isCompleted: status === 'sent' || status === 'received',
    isWaitingForInput: isLive && status !== 'sent',
    isSubmitting: status === 'sending',
    answeredCount: questions.length - unanswered.length,
    ...reading,
    ...actions,
  }
}

type Reading = Pick<UseAskUserQuestionReturn, 'answers' | 'isSelected' | 'stateOf'>

/** New functions for new responses: the React compiler memoizes by identity and must see the change. */
const readingOf = (
  questions: AskedQuestion[],
  responses: Readonly<Responses>,
  states: Readonly<Record<string, AnswerState>>,
): Reading => ({
  answers: answersByText(questions, responses),
  isSelected(question, label) {
    const found = findQuestion(questions, question)
    return found !== undefined && isAnsweredWith(found, responses, label)
  },
  stateOf: (question) => states[findQuestion(questions, question)?.id ?? ''] ?? 'empty',
})

type Actions = Pick<
  UseAskUserQuestionReturn,
  'selectAnswer' | 'setFreeText' | 'setNotes' | 'skip' | 'submit' | 'decline' | 'retry'
>

const actionsOf = ({ select, setFreeText, setNotes, skip, submit, decline, retry }: AskSession): Actions => ({
  selectAnswer: (question, value, _multiSelect, options) => select(question, value, options),
  setFreeText,
  setNotes,
  skip,
  submit,
  decline,
  retry,
})
