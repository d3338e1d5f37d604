export type { AskUserQuestionInput, AskUserQuestionOutput } from '@sandagent/core'
export { type AskUserQuestionToolOptions, askUserQuestionTool } from './agents/ai-sdk-tool.ts'
export { type ResumeQuestionsOptions, resumeQuestions } from './agents/resume-questions.ts'
export { UnansweredError } from './unanswered-error.ts'
