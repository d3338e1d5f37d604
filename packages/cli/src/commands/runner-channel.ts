import {
  type ChannelWarning,
  PUBLIC_KEYS_VARIABLE,
  printableLine,
  type RunnerChannel,
} from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import type { SweepOption } from '@sandagent/files/internal'

/** The runner's channel in a folder. If the environment holds the host's public keys, answers must be signed. */
export async function runnerChannel({
  continues,
  onWarning,
  ...place
}: {
  workdir: string
  stateFolder: string | undefined
  sweepAfterMs: SweepOption['sweepAfterMs']
  continues: readonly string[]
  onWarning: (warning: ChannelWarning) => void
}): Promise<RunnerChannel> {
  const channel = createFileRunnerChannel({ ...place, onWarning })
  const keys = process.env[PUBLIC_KEYS_VARIABLE]
  if (!keys) return channel
  // Loaded only when there are keys: an MCP client may not wait long for its server.
  const { verified } = await import('./verified.ts')
  return verified(channel, keys, { continues, onWarning })
}

/** Writes warnings to standard error. */
export const warn =
  (stderr: { write(text: string): unknown }) =>
  ({ message, toolCallId }: ChannelWarning): void => {
    const about = toolCallId === undefined ? '' : ` (${toolCallId})`
    // In one line, so that no id looks like another message.
    stderr.write(`sandagent: ${printableLine(`${message}${about}`)}\n`)
  }
