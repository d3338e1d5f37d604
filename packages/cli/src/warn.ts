import { type ChannelWarning, printableLine, reportIncident } from '@sandagent/core/internal'

/** Writes warnings to standard error. */
export const warn =
  (stderr: { write(text: string): unknown }) =>
  (warning: ChannelWarning): void => {
    const { message, toolCallId } = warning
    reportIncident({ name: 'warning', ...warning })
    const about = toolCallId === undefined ? '' : ` (${toolCallId})`
    // In one line, so that no id looks like another message.
    stderr.write(`sandagent: ${printableLine(`${message}${about}`)}\n`)
  }
