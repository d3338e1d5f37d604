import type {
  ApprovalSubject,
  AskedCall,
  AskUserQuestionProps,
  Question,
  Responses,
} from '@sandagent/sdk/react'

/** A kind of question, and an answer to it. */
export interface Kind {
  questions: Question[]
  responses: Responses
  props?: Partial<Omit<AskUserQuestionProps, keyof AskedCall>>
  dir?: 'rtl'
  /** Only for an approval: what it permits. */
  subject?: ApprovalSubject
}
