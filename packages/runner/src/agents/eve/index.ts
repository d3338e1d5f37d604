export { createEveAgent, type EveAgentOptions } from './agent.ts'
