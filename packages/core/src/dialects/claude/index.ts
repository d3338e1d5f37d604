export type { GivenAnswer, OutputOrError } from '../dialect.ts'
export {
  CLAUDE_UNANSWERED_CAPABILITY,
  type ClaudeAnnotation,
  type ClaudeAnswer,
  type ClaudeResultOptions,
  formatResult,
  parseAnswer,
} from './answer.ts'
export { dialect } from './dialect.ts'
export { type ClaudeQuestion, type ClaudeRequest, formatRequest, parseRequest } from './request.ts'
export { CLAUDE_TOOL } from './tool.ts'
