export type { GivenAnswer } from '../dialect.ts'
export { formatResult, type HarnessAnswer, type HarnessResult, parseAnswer } from './answer.ts'
export { dialect } from './dialect.ts'
export { formatRequest, type HarnessQuestion, type HarnessRequest, parseRequest } from './request.ts'
