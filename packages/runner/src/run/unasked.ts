import { AskError, type ChannelWarning, errorCode } from '@sandagent/core/internal'

/** Why something could not be asked. MCP's "Invalid params" has it as its cause. */
export const faultIn = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof AskError ? error.cause : error

/** The warning for a question that could not be asked. Without it, the agent alone would know. */
export function unaskedWarning(error: unknown): ChannelWarning {
  const fault = faultIn(error)
  const code = fault instanceof AskError ? fault.code : (errorCode(fault) ?? 'INTERNAL')
  return {
    code,
    message: `The agent could not ask: ${fault instanceof Error ? fault.message : String(fault)}`,
  }
}
