import { errorCode } from '../error-code.ts'
import { AskError } from '../errors.ts'
import type { ChannelWarning, OnWarning } from './warning-codes.ts'

/** Turns a read error into a warning. Throws errors that are neither an `AskError` nor the system's. */
export function warningOf(error: unknown, toolCallId?: string): ChannelWarning {
  const code = error instanceof AskError ? error.code : errorCode(error)
  if (code === undefined) throw error
  return { code, message: (error as Error).message, ...(toolCallId !== undefined && { toolCallId }) }
}

/** Passes on the warnings about a subject if they differ from the last ones. An empty list ends its warnings. */
export function distinctWarnings(
  onWarning: OnWarning,
): (subject: string, warnings: readonly ChannelWarning[]) => void {
  const last = new Map<string, string>()
  return (subject, warnings) => {
    const content = JSON.stringify(warnings)
    if (content === last.get(subject)) return
    if (warnings.length > 0) last.set(subject, content)
    else last.delete(subject)
    for (const warning of warnings) onWarning(warning)
  }
}
