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
import { type AnswersByText, answersByText, answersMap, isAnsweredWith } from './answers-by-text.ts'
import { onPageHidden } from './transport/page-visibility.ts'
import { type UseAskUserQuestionOptions, useAskSession } from './use-ask-session.ts'

/** What a page shows of a question, and what a person can do about it. Questions go by their text or their id. */
export interface UseAskUserQuestionReturn {
  questions: AskedQuestion[]
  /** By question text: what was entered here, then what the host and the agent confirmed. */
  answers: AnswersByText
  /** The same without loss, by question id. */
  responses: Readonly<Responses>
  /** What was entered here, also where somebody else's answer came first. */
  entered: Readonly<Responses>
  status: AskStatus
  /** Whether the answer is stored: nothing more is to be done here. */
  isCompleted: boolean
  /** Whether the question still waits for somebody to answer it. */
  isWaitingForInput: boolean
  /** Whether entries count: the question waits, and no answer is on its way. */
  isEditable: boolean
  /** Whether the answer is on its way; entries count for nothing until it arrived or failed. */
  isSubmitting: boolean
  answeredCount: number
  /** Ids of the questions without an answer. */
  unanswered: readonly string[]
  /** Ids of the questions for which `submit` held the answer back, as long as they need something. */
  missing: readonly string[]
  /** Where a question stands: `empty`, `answered`, `skipped`, or `invalid` once it keeps the answer from being sent. */
  stateOf(question: string): AnswerState
  /** `approval` asks for permission to use the tool of `subject`. */
  kind: 'question' | 'approval'
  /** Of an answer file: the tool call that it permits, as the host knows it. Show this, not what the message says. */
  subject: ApprovalSubject | undefined
  /** The agent below the main one that asks, when the host tells. */
  asker: Asker | undefined
  /** When the agent stops waiting, in milliseconds since 1970, or `null` for never. */
  deadline: number | null
  /** Who answered, when the host tells. */
  answeredBy: string | undefined
  /** When the final answer was stored, in milliseconds since 1970 by the host's clock, or `null`. */
  answeredAt: number | null
  /** Whether what was sent is a refusal. */
  declined: boolean
  /** Why somebody declined, in their words. */
  reason: string | undefined
  /** How the question ended for the agent, when the host tells. */
  outcome: OutcomeKind | null
  /** Whether the run that asks is gone: an answer is kept until somebody starts it again. */
  runEnded: boolean
  /** Of what `failed`: whether it was a draft. Nobody has sent an answer yet, and the next entry tries again. */
  unsaved: boolean
  /** What went wrong. Nothing that was entered is lost by it. */
  error: AskError | null
  /** Whether the host wants the person to sign in first; what failed is sent again by `retry`. */
  unauthorized: boolean
  /**
   * Picks an option by its label or value, or toggles it where several may be picked. `multiSelect` is what the
   * question says, whatever is given here.
   *
   * @param options `autoSubmit: false` picks without submitting, as an arrow key in a radio group should
   */
  selectAnswer(
    question: string,
    value: string,
    multiSelect?: boolean,
    options?: { autoSubmit?: boolean },
  ): void
  isSelected(question: string, label: string, multiSelect?: boolean): boolean
  /** Every question's answer as one text, an empty one where there is none. */
  getAnswersMap(): Record<string, string>
  setFreeText(question: string, text: string): void
  setNotes(question: string, notes: string): void
  /** Passes over a question on purpose. */
  skip(question: string): void
  /** Sends the answer. What is missing becomes `error`; with `partial` it is skipped. */
  submit(options?: { partial?: boolean }): void
  /** Declines to answer. */
  decline(reason?: string): void
  /** Sends again what failed. */
  retry(): void
}

/**
 * Answers a question that an agent asks in a chat. One session per tool call: drafts are saved as they are
 * entered, one request at a time, and the question is followed while it waits.
 */
export function useAskUserQuestion(options: UseAskUserQuestionOptions): UseAskUserQuestionReturn {
  const { part, answerEndpoint } = options
  const session = useAskSession(options)
  const snapshot = useSyncExternalStore(session.subscribe, session.getSnapshot, session.getSnapshot)
  const { toolCallId: _, states, ...shown } = snapshot
  const { questions, responses, status, unanswered } = shown
  const isLive = status !== 'streaming' && !isEnded(status)

  useEffect(() => session.setPart(part), [session, part])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another endpoint is another thing to follow
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

type Reading = Pick<UseAskUserQuestionReturn, 'answers' | 'isSelected' | 'getAnswersMap' | 'stateOf'>

/** New functions for new responses: what memoizes by identity, as the React compiler does, must see the change. */
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
  getAnswersMap: () => answersMap(questions, responses),
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
