export { createCodexAgent } from './agents/codex/agent.ts'
export type { CodexAgentOptions, CodexFacts } from './agents/codex/thread.ts'
