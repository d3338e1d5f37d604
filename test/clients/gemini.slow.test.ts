import { describeClient } from './describe-client.ts'

describeClient('gemini', /^mcp-/)
