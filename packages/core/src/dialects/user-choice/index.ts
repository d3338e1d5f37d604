export type { GivenAnswer } from '../dialect.ts'
export { dialect } from './dialect.ts'
export {
  type CallNames,
  isSelection,
  type OtherMessage,
  parseCallback,
  parseInvocation,
  parseUserChoice,
  questionIdOf,
  type ToolInvocation,
  type ToolResultMessage,
  type UserChoiceMessage,
  type UserChoiceSelection,
} from './messages.ts'
export { formatRequest, formatResult, parseAnswer, parseRequest } from './question.ts'
