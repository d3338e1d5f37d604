export {
  type CognipeerAnswer,
  type CognipeerResolution,
  type CognipeerResult,
  type CognipeerResultEntry,
  formatAnswer,
  formatResult,
  parseAnswer,
} from './cognipeer-answer.ts'
export {
  type CognipeerOption,
  type CognipeerOptions,
  type CognipeerQuestion,
  type CognipeerRequest,
  formatRequest,
  freeTextOf,
  parseRequest,
} from './cognipeer-request.ts'
export {
  addUserQuestion,
  type CognipeerState,
  formatEvent,
  type PendingUserQuestion,
  resolveUserQuestion,
  type UserQuestionCall,
  type UserQuestionEvent,
} from './cognipeer-state.ts'
export { cognipeerTool } from './cognipeer-tool.ts'
export type { GivenAnswer } from './given-answer.ts'
