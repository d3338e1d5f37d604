import { describeClient } from './describe-client.ts'

describeClient('codex', /^call_1$/)
