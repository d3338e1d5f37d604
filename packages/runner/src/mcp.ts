export type { AskMcpOptions } from './agents/mcp-call.ts'
export { type AskMcpServer, type AskMcpServerOptions, createAskMcpServer } from './agents/mcp-http.ts'
export { type AskMcpConnection, serveAskMcpStdio } from './agents/mcp-stdio.ts'
