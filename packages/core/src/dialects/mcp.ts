export type { GivenAnswer } from './given-answer.ts'
export { type ElicitationResult, type ElicitedValue, faultyQuestions, formatResult } from './mcp-content.ts'
export {
  type ElicitationForm,
  type FormField,
  type FormOption,
  type FormOptions,
  formatRequest,
  parseAnswer,
} from './mcp-form.ts'
export { parseRequest } from './mcp-question.ts'
export { formatToolResult, MCP_TOOL, type McpToolResult, parseToolCall } from './mcp-tool.ts'
