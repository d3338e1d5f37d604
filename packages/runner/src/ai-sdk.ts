export type { AskUserQuestionInput, AskUserQuestionOutput } from '@sandagent/core'
export {
  type ResultWriter,
  type ResumeQuestionsOptions,
  resumeQuestions,
} from './agents/ai-sdk/resume-questions.ts'
export { type AskUserQuestionToolOptions, createAskUserQuestionTool } from './agents/ai-sdk/tool.ts'
export { UnansweredError } from './run/unanswered-error.ts'
