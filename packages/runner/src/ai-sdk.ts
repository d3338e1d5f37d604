export type { AskUserQuestionInput, AskUserQuestionOutput } from '@sandagent/core'
export { type AskUserQuestionToolOptions, askUserQuestionTool } from './agents/ai-sdk-tool.ts'
export { UnansweredError } from './unanswered-error.ts'
