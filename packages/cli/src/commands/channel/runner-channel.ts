import { type ChannelWarning, demandIn, type RunnerChannel } from '@sandagent/core/internal'
import { createFileRunnerChannel, withFilesIn } from '@sandagent/files'
import type { SweepOption } from '@sandagent/files/internal'
import { createHttpRunnerChannel } from '@sandagent/fleet'
import { CHANNEL_TOKEN_VARIABLE, CHANNEL_URL_VARIABLE } from '@sandagent/fleet/internal'
import { usage } from '../../arguments/option-values.ts'

export interface ChannelOptions {
  workdir: string
  stateFolder: string | undefined
  sweepAfterMs: SweepOption['sweepAfterMs']
  continues: readonly string[]
  onWarning: (warning: ChannelWarning) => void
}

/**
 * The runner's channel: to a host, if the environment names one, or else in a folder. If the environment holds the host's
 * public keys, answers must be signed.
 */
export async function runnerChannel({
  continues,
  onWarning,
  ...place
}: ChannelOptions): Promise<RunnerChannel> {
  const url = process.env[CHANNEL_URL_VARIABLE]
  const token = process.env[CHANNEL_TOKEN_VARIABLE] ?? ''
  if (url && !token)
    throw usage(
      `${CHANNEL_URL_VARIABLE} is set, and ${CHANNEL_TOKEN_VARIABLE} is not: set it to the runner's token, which createRunnerToken makes on a host`,
    )
  // The agent's programs do not need the token.
  for (const name of [CHANNEL_URL_VARIABLE, CHANNEL_TOKEN_VARIABLE]) delete process.env[name]
  const channel = url
    ? withFilesIn(createHttpRunnerChannel({ url, token, onWarning }), place)
    : createFileRunnerChannel({ ...place, onWarning })
  const demand = demandIn(process.env)
  if (!demand) return channel
  // Loaded only when there are keys: an MCP client may not wait long for its server.
  const { createVerifiedChannel, loadPasskeyVerifier, parsePublicKeys } = await import('@sandagent/runner')
  const { passkeys } = demand
  if (passkeys) await loadPasskeyVerifier()
  const publicKeys = parsePublicKeys(demand.publicKeys)
  return createVerifiedChannel(channel, { publicKeys, passkeys, continues, onWarning })
}
