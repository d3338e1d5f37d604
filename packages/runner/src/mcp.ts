export type { AskMcpOptions } from './agents/mcp-call.ts'
export { type AskMcpServer, createAskMcpServer, type HttpOptions } from './agents/mcp-http.ts'
export { type AskMcpConnection, serveAskMcpStdio } from './agents/mcp-stdio.ts'
