export type { AskUserQuestionInput, AskUserQuestionOutput } from '@sandagent/core'
export {
  createQuestionTools,
  type QuestionToolOutput,
  type QuestionTools,
  type QuestionToolsOptions,
} from './agents/ai-sdk/question-tools.ts'
export {
  type ResultWriter,
  type ResumeQuestionsOptions,
  resumeQuestions,
} from './agents/ai-sdk/resume-questions.ts'
export { type AskUserQuestionToolOptions, createAskUserQuestionTool } from './agents/ai-sdk/tool.ts'
export { type ApprovalOptions, type ChangedOutput, withApproval } from './agents/ai-sdk/with-approval.ts'
export { UnansweredError } from './run/unanswered-error.ts'
