export type { AllowedUrls } from './user-choice/allowed-urls.ts'
export type { WebHandler } from './user-choice/http.ts'
export {
  createUserChoiceRuntime,
  type RuntimeCall,
  type UserChoiceRuntime,
  type UserChoiceRuntimeOptions,
} from './user-choice/runtime/runtime.ts'
export type { UserChoiceResult } from './user-choice/runtime/runtime-record.ts'
export type { UserChoiceStorage } from './user-choice/storage.ts'
export type { RememberedDecision } from './user-choice/tool/decisions.ts'
export type { ChoiceRequest, InvokedCall, Picked, ToolOperation } from './user-choice/tool/operation.ts'
export { createUserChoiceTool, type UserChoiceTool } from './user-choice/tool/tool.ts'
export type { UserChoiceToolOptions } from './user-choice/tool/tool-options.ts'
