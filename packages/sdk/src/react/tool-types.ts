import type { AnswerTexts, Question } from '@sandagent/core'

/** What the model gives to the tool. */
export interface AskUserQuestionInput {
  questions: Question[]
}

/** What the tool gives back, as the SandAgent document has it. */
export interface AskUserQuestionOutput {
  questions: Question[]
  /** By question text; several choices are joined by commas, see `encodeAnswers`. */
  answers: AnswerTexts
}
