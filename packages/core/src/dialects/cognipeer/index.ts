export type { GivenAnswer } from '../dialect.ts'
export {
  type CognipeerAnswer,
  type CognipeerResolution,
  type CognipeerResult,
  type CognipeerResultEntry,
  formatAnswer,
  formatResult,
  parseAnswer,
} from './answer.ts'
export { dialect } from './dialect.ts'
export {
  type CognipeerOption,
  type CognipeerOptions,
  type CognipeerQuestion,
  type CognipeerRequest,
  formatRequest,
  freeTextOf,
  parseRequest,
} from './request.ts'
export {
  addUserQuestion,
  type CognipeerState,
  formatEvent,
  type PendingUserQuestion,
  resolveUserQuestion,
  type UserQuestionCall,
  type UserQuestionEvent,
} from './state.ts'
export { cognipeerTool } from './tool.ts'
