export { createEveAgent, type EveAgentOptions } from './agents/eve/agent.ts'
