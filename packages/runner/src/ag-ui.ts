export { type AgUiAgentOptions, createAgUiAgent } from './agents/ag-ui/agent.ts'
