import { AskError, type ChannelWarning, type OnWarning } from '@sandagent/core'
import { errorCode } from './error-code.ts'

/** A failure to read as a warning; whatever is neither a fault of the file nor of the system is thrown again. */
export function warningOf(error: unknown, toolCallId?: string): ChannelWarning {
  const code = error instanceof AskError ? error.code : errorCode(error)
  if (code === undefined) throw error
  return { code, message: (error as Error).message, ...(toolCallId !== undefined && { toolCallId }) }
}

/**
 * Passes on the warnings about a subject when they differ from the last ones, so that a state which every poll meets
 * again is told once. An empty list says that the subject is fine again.
 */
export function distinctWarnings(
  onWarning: OnWarning,
): (subject: string, warnings: readonly ChannelWarning[]) => void {
  const last = new Map<string, string>()
  return (subject, warnings) => {
    const content = JSON.stringify(warnings)
    if (content === (last.get(subject) ?? '[]')) return
    if (warnings.length > 0) last.set(subject, content)
    else last.delete(subject)
    for (const warning of warnings) onWarning(warning)
  }
}
