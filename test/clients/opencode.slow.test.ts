import { describeClient } from './describe-client.ts'

describeClient('opencode', /^mcp-/)
