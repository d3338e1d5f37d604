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
export type { GivenAnswer } from './given-answer.ts'
