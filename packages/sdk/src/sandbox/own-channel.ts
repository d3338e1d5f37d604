import type { Authenticate, Clock, HostChannel, OnWarning } from '@sandagent/core/internal'
import type { JSONWebKeySet } from 'jose'

/** How a host uses the channel of a sandbox that has one of its own. */
export interface OwnChannelOptions {
  /** The public keys of the host, so that the sandbox can tell which answers count; `null` for none. */
  publicKeys: () => Promise<JSONWebKeySet | null>
  /** The host's own check of what comes back. */
  authenticate: Authenticate
  onWarning: OnWarning
  clock: Clock
}

/** The host's work with questions, where the sandbox does it itself: each call takes one round trip instead of many. */
export interface OwnChannel {
  create(options: OwnChannelOptions): HostChannel
  /** The ids of the keys that a run was started with; `undefined` for a run without keys, or an unknown one. */
  keysOfRun(runId: string): Promise<readonly string[] | undefined>
  /** Who started a run. Default: as the record of the run says, in the sandbox's files. */
  ownerOfRun?(runId: string): Promise<string | undefined>
}
