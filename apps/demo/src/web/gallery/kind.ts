import type {
  ApprovalSubject,
  AskedCall,
  AskUserQuestionProps,
  Question,
  QuestionView,
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
  /** Only for an approval: what a host with grants says of it. */
  grants?: Pick<QuestionView, 'scopes' | 'asksAgain'>
}

/** A response that picks these options. */
export const answered = (...selected: string[]): Responses[string] => ({ selected, source: 'human' })
