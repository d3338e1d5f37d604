export type { GivenAnswer } from '../dialect.ts'
export { type ElicitationResult, type ElicitedValue, faultyQuestions, formatResult } from './content.ts'
export { dialect } from './dialect.ts'
export {
  type ElicitationForm,
  type FormField,
  type FormOption,
  type FormOptions,
  formatRequest,
  parseAnswer,
} from './form.ts'
export { parseRequest } from './question.ts'
export {
  foreignKeys,
  formatToolResult,
  MCP_TICKET_TOOLS,
  MCP_TOOL,
  type McpToolResult,
  parseToolCall,
} from './tool.ts'
