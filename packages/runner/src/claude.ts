export { type ClaudeAgentOptions, createClaudeAgent } from './agents/claude/agent.ts'
export {
  type AskingOptions,
  type AskingSettings,
  createAskingOptions,
} from './agents/claude/asking-options.ts'
export type { ClaudeFacts } from './agents/claude/facts.ts'
