export type { GivenAnswer, OutputOrError } from '../dialect.ts'
export {
  type AgentRailAnswer,
  type AgentRailResult,
  formatAnswer,
  formatResult,
  parseAnswer,
} from './answer.ts'
export { dialect } from './dialect.ts'
export {
  type AgentRailRequest,
  formatEvent,
  formatRequest,
  parseRequest,
  type WaitingForUserInput,
} from './request.ts'
export { AGENTRAIL_TOOL } from './tool.ts'
