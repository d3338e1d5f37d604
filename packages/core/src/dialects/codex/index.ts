export type { GivenAnswer } from '../dialect.ts'
export { type CodexResult, formatResult, parseAnswer } from './answer.ts'
export {
  type CodexApproval,
  formatDecision,
  formatToolDecision,
  isToolApproval,
  parseCommandApproval,
  parseFileApproval,
  parseToolApproval,
} from './approval.ts'
export { dialect } from './dialect.ts'
export {
  type CodexQuestion,
  type CodexRequest,
  formatRequest,
  parseMessage,
  parseRequest,
} from './request.ts'
