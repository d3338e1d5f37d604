export type { AllowedUrls } from './lib/allowed-urls.ts'
export type { WebHandler } from './lib/http.ts'
export type { UserChoiceStorage } from './lib/storage.ts'
export {
  createUserChoiceRuntime,
  type RuntimeCall,
  type UserChoiceRuntime,
  type UserChoiceRuntimeOptions,
} from './runtime/runtime.ts'
export type { UserChoiceResult } from './runtime/runtime-steps.ts'
export type { RememberedDecision } from './tool/decisions.ts'
export type { ChoiceRequest, InvokedCall, Picked, ToolOperation } from './tool/operation.ts'
export { createUserChoiceTool, type UserChoiceTool, type UserChoiceToolOptions } from './tool/tool.ts'
