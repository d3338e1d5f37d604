export type { AllowedUrls } from './user-choice/allowed-urls.ts'
export type { Decision } from './user-choice/decisions.ts'
export type { WebHandler } from './user-choice/http.ts'
export type { ChoiceRequest, InvokedCall, Picked, ToolOperation } from './user-choice/operation.ts'
export {
  createUserChoiceRuntime,
  type RuntimeCall,
  type UserChoiceRuntime,
  type UserChoiceRuntimeOptions,
} from './user-choice/runtime.ts'
export type { ToolResult } from './user-choice/runtime-record.ts'
export type { UserChoiceStorage } from './user-choice/storage.ts'
export { createUserChoiceTool, type UserChoiceTool, type UserChoiceToolOptions } from './user-choice/tool.ts'
