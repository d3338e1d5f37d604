import type { ApprovalSubject, AskUserQuestionProps, Question, Responses } from '@sandagent/sdk/react'

/** A kind of question, and an answer to it. */
export interface Kind {
  questions: Question[]
  responses: Responses
  props?: Partial<AskUserQuestionProps>
  dir?: 'rtl'
  /** Only for an approval: what it permits. */
  subject?: ApprovalSubject
}
