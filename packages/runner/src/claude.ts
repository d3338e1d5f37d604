export { type ClaudeAgentOptions, createClaudeAgent } from './agents/claude/agent.ts'
export type { ClaudeFacts } from './agents/claude/facts.ts'
export { type CanUseToolOptions, createCanUseTool } from './agents/claude/permission.ts'
