export {
  type AskUserQuestionInput,
  type AskUserQuestionToolOptions,
  askUserQuestionTool,
} from './agents/ai-sdk-tool.ts'
export type { AskUserQuestionOutput } from './tool-result.ts'
export { UnansweredError } from './unanswered-error.ts'
