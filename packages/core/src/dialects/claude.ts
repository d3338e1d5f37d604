export {
  CLAUDE_UNANSWERED_CAPABILITY,
  type ClaudeAnnotation,
  type ClaudeAnswer,
  type ClaudeResultOptions,
  formatResult,
  parseAnswer,
} from './claude-answer.ts'
export { type ClaudeQuestion, type ClaudeRequest, formatRequest, parseRequest } from './claude-request.ts'
export { CLAUDE_TOOL } from './claude-tool.ts'
export type { GivenAnswer, OutputOrError } from './given-answer.ts'
