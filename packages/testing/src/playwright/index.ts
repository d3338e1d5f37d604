export { answerForm, declineForm, type FormAnswers } from './answer-form.ts'
export type { TestLocator, TestPage } from './page-types.ts'
export { press } from './press.ts'
export { waitForQuestion } from './wait-for-question.ts'
