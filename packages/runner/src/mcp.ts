export type { AskMcpOptions } from './mcp/call.ts'
export { type AskMcpServer, type AskMcpServerOptions, createAskMcpServer } from './mcp/http.ts'
export { type AskMcpConnection, serveAskMcpStdio } from './mcp/stdio.ts'
