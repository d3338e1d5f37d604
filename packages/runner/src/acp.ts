export { type AcpAgentOptions, createAcpAgent } from './agents/acp/agent.ts'
