export {
  type AskUserQuestionInput,
  type AskUserQuestionToolOptions,
  askUserQuestionTool,
  UnansweredError,
} from './agents/ai-sdk-tool.ts'
export type { AskUserQuestionOutput } from './tool-result.ts'
