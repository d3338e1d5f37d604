import {
  type ChannelWarning,
  PUBLIC_KEYS_VARIABLE,
  printableLine,
  type RunnerChannel,
} from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'

/** The runner's end in a folder. Where the environment holds the host's keys, it passes on signed answers alone. */
export async function runnerChannel({
  continues,
  onWarning,
  ...place
}: {
  workdir: string
  stateFolder: string | undefined
  continues: readonly string[]
  onWarning: (warning: ChannelWarning) => void
}): Promise<RunnerChannel> {
  const channel = createFileRunnerChannel({ ...place, onWarning })
  const keys = process.env[PUBLIC_KEYS_VARIABLE]
  if (!keys) return channel
  // What verifies is loaded where there are keys: a client may not wait long for its MCP server.
  const { parsePublicKeys, createVerifiedChannel } = await import('@sandagent/runner')
  return createVerifiedChannel(channel, { continues, onWarning, publicKeys: parsePublicKeys(keys) })
}

/** Tells people of what a channel passed over, on standard error. */
export const warn =
  (stderr: { write(text: string): unknown }) =>
  ({ message, toolCallId }: ChannelWarning): void => {
    const about = toolCallId === undefined ? '' : ` (${toolCallId})`
    // In one line: no id can look like a message of its own.
    stderr.write(`sandagent: ${printableLine(`${message}${about}`)}\n`)
  }
