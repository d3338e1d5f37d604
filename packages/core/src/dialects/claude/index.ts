export type { GivenAnswer, OutputOrError } from '../given-answer.ts'
export {
  CLAUDE_UNANSWERED_CAPABILITY,
  type ClaudeAnnotation,
  type ClaudeAnswer,
  type ClaudeResultOptions,
  formatResult,
  parseAnswer,
} from './answer.ts'
export { type ClaudeQuestion, type ClaudeRequest, formatRequest, parseRequest } from './request.ts'
export { CLAUDE_TOOL } from './tool.ts'
