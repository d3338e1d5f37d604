import {
  type ApprovalSubject,
  type AskedQuestion,
  optionFor,
  optionValue,
  responseTo,
} from '@sandagent/core/internal'
import { useState } from 'react'
import type { UseAskUserQuestionReturn } from '../../../use-ask-user-question.ts'

/** An edit of a call, from the button to the decision. */
export interface CallEdit {
  /** Whether the person may edit this call now. */
  isPossible: boolean
  isOpen: boolean
  /** Whether it was open before. */
  hasClosed: boolean
  /** The value of the option that allows an edited call. */
  option: string
  /** What the editor begins with. */
  input: unknown
  /** Changes when the editor has to begin anew. */
  start: string
  /** Opens the editor, with the edit of another person or with the input of the agent. */
  open(input?: unknown): void
  close(): void
}

/** The edited input in responses: of a decision, a draft or a vote. */
export function editedIn(responses: UseAskUserQuestionReturn['responses'], question: AskedQuestion): unknown {
  const response = responseTo(responses, question)
  return response && 'selected' in response ? response.input : undefined
}

/** Opens and closes the editor. After a reload it is open where something was edited before. */
export function useCallEdit(
  ask: UseAskUserQuestionReturn,
  subject: ApprovalSubject | undefined,
  question: AskedQuestion | undefined,
): CallEdit {
  const [opened, setOpened] = useState<{ input?: unknown; isOpen: boolean; count: number } | null>(null)
  const option = optionFor(question, 'allowOnce')
  const isPossible = ask.isWaitingForInput && subject?.editable === true && option !== undefined
  const kept = question && editedIn(ask.entered, question)
  const set = (isOpen: boolean, input?: unknown): void =>
    setOpened((before) => ({ isOpen, input, count: (before?.count ?? 0) + 1 }))
  return {
    isPossible,
    isOpen: isPossible && (opened?.isOpen || kept !== undefined),
    hasClosed: opened?.isOpen === false,
    option: option ? optionValue(option) : '',
    input: opened?.input ?? kept ?? subject?.input,
    // The agent may put another call in the place of this one.
    start: `${opened?.count ?? 0} ${JSON.stringify(subject?.input)}`,
    open: (input) => set(true, input),
    close() {
      set(false)
      if (question) ask.setInput(question.id, undefined)
    },
  }
}
