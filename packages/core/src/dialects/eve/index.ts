export type { GivenAnswer } from '../dialect.ts'
export { type EveResponse, formatResult, parseAnswer } from './answer.ts'
export { dialect } from './dialect.ts'
export { type EveOption, type EveRequest, formatRequest, parseRequest, parseSubject } from './request.ts'
