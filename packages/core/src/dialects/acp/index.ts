export type { GivenAnswer } from '../dialect.ts'
export {
  type ElicitationForm,
  type ElicitationResult,
  type ElicitedValue,
  faultyQuestions,
  formatResult,
  parseAnswer,
  parseRequest,
} from '../mcp/index.ts'
export { parseCall } from './call.ts'
export { dialect } from './dialect.ts'
export { type AcpScope, formatRequest } from './form.ts'
export {
  type AcpPermission,
  formatPermission,
  type PermissionResult,
  parsePermission,
} from './permission.ts'
