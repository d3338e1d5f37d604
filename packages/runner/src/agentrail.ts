export {
  type AskRegistry,
  type AskRegistryOptions,
  createAskRegistry,
  type RegisteredCall,
} from './agents/agentrail/registry.ts'
export {
  type AgentRailCapability,
  type AgentRailTool,
  type AgentRailToolOptions,
  type AgentRailToolOutput,
  askUserCapability,
  createAskUserQuestionTool,
  type WaitingForInput,
} from './agents/agentrail/tool.ts'
export { UnansweredError } from './run/unanswered-error.ts'
