import { AskError } from '@sandagent/core'

/**
 * Names of attributes. Those with `gen_ai` and `error` are OpenTelemetry's semantic conventions. The package with their
 * constants asks to copy those that may still change.
 */
export const NAMES = {
  operation: 'gen_ai.operation.name',
  agent: 'gen_ai.agent.name',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  call: 'gen_ai.tool.call.id',
  error: 'error.type',
  httpStatus: 'http.response.status_code',
  run: 'sandagent.run.id',
  kind: 'sandagent.question.kind',
  count: 'sandagent.question.count',
  outcome: 'sandagent.outcome',
  replayed: 'sandagent.replayed',
  humanTime: 'sandagent.human_time',
  machineTime: 'sandagent.machine_time',
  age: 'sandagent.question.age',
  status: 'sandagent.answer.status',
  refusedBy: 'sandagent.refused_by',
} as const

/** What an error is called: its code, or its class. Messages may hold texts of people, and are left out. */
export const errorType = (error: unknown): string =>
  error instanceof AskError
    ? error.code
    : error instanceof Error && error.name === 'AskError' && 'code' in error
      ? String(error.code)
      : error instanceof Error
        ? error.name
        : 'unknown'
