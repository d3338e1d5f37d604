export type { GivenAnswer } from '../dialect.ts'
export { faultyQuestions, formatResult, parseAnswer } from './answer.ts'
export { dialect } from './dialect.ts'
export type { Interrupt, ResumeEntry } from './interrupt.ts'
export {
  formatRequest,
  type InterruptedCall,
  type InterruptFacts,
  type InterruptRequest,
  parseInterrupt,
  parseRequest,
} from './request.ts'
