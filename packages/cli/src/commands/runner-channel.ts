import { type ChannelWarning, PUBLIC_KEYS_VARIABLE, type RunnerChannel } from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import type { SweepOption } from '@sandagent/files/internal'

export interface ChannelOptions {
  workdir: string
  stateFolder: string | undefined
  sweepAfterMs: SweepOption['sweepAfterMs']
  continues: readonly string[]
  onWarning: (warning: ChannelWarning) => void
}

/** The runner's channel in a folder. If the environment holds the host's public keys, answers must be signed. */
export async function runnerChannel({
  continues,
  onWarning,
  ...place
}: ChannelOptions): Promise<RunnerChannel> {
  const channel = createFileRunnerChannel({ ...place, onWarning })
  const keys = process.env[PUBLIC_KEYS_VARIABLE]
  if (!keys) return channel
  // Loaded only when there are keys: an MCP client may not wait long for its server.
  const { verified } = await import('./verified.ts')
  return verified(channel, keys, { continues, onWarning })
}
