import type { RunnerChannel } from '@sandagent/core'
import { createVerifiedChannel, parsePublicKeys, type VerifiedChannelOptions } from '@sandagent/runner'

/** Accepts only answers that are signed with one of these keys. */
export const verified = (
  channel: RunnerChannel,
  keys: string,
  options: Omit<VerifiedChannelOptions, 'publicKeys'>,
): RunnerChannel => createVerifiedChannel(channel, { ...options, publicKeys: parsePublicKeys(keys) })
