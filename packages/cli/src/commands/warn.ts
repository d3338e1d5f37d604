import { type ChannelWarning, printableLine } from '@sandagent/core/internal'

/** Writes warnings to standard error. */
export const warn =
  (stderr: { write(text: string): unknown }) =>
  ({ message, toolCallId }: ChannelWarning): void => {
    const about = toolCallId === undefined ? '' : ` (${toolCallId})`
    // In one line, so that no id looks like another message.
    stderr.write(`sandagent: ${printableLine(`${message}${about}`)}\n`)
  }
