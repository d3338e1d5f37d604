import { checkOptions } from '@sandagent/core/internal'
import { bucketNames } from '../lib/subjects.ts'
import { filesSubject, type RunnerAccess } from './runner-access.ts'

/** What crosses from the runners' account to the hosts' account. */
export interface NatsBoundary {
  /** Services that the hosts' account exports and the runners' account imports. */
  services: readonly string[]
  /** Streams, likewise. */
  streams: readonly string[]
}

/**
 * What the hosts' account exports and the runners' account imports. Hosts and runners need two accounts: a server sends a reply
 * to any subject that the request names, whatever its sender may publish to. In an account of their own, runners cannot make it
 * send anything to the hosts' subjects.
 */
export function natsBoundary(options: { bucket?: string | undefined } = {}): NatsBoundary {
  checkOptions('natsBoundary', options, { bucket: true })
  const { bucket = 'sandagent' } = options
  const { root } = bucketNames(bucket)
  return {
    services: [
      `${root}.*.*.q.*`,
      `${root}.*.*.b`,
      `sandagent.${bucket}.watch.*.*`,
      filesSubject(bucket, '*', '*'),
    ],
    streams: [`sandagent.${bucket}.live.>`],
  }
}

/** A user of the server's configuration. */
export interface NatsUser {
  user: string
  /** Plain, or as `nats server passwd` hashes it. */
  password: string
}

export interface NatsAccountsOptions {
  hosts: readonly NatsUser[]
  runners: readonly (NatsUser & { access: RunnerAccess })[]
  /** Default `sandagent`. */
  bucket?: string | undefined
}

/** The `accounts` of a server's configuration, with {@link natsBoundary} between them. */
export function natsAccounts(options: NatsAccountsOptions): string {
  checkOptions('natsAccounts', options, { hosts: 'list', runners: 'list', bucket: true })
  const { hosts, runners, bucket } = options
  const { services, streams } = natsBoundary({ bucket })
  const list = (entries: readonly unknown[]): string =>
    `[\n${entries.map((entry) => `      ${JSON.stringify(entry)}`).join(',\n')}\n    ]`
  return `accounts {
  HOSTS {
    jetstream: enabled
    users: ${list(hosts.map(({ user, password }) => ({ user, password })))}
    exports: ${list([...services.map((service) => ({ service })), ...streams.map((stream) => ({ stream }))])}
  }
  RUNNERS {
    users: ${list(runners.map(({ user, password, access: { permissions } }) => ({ user, password, permissions })))}
    imports: ${list([
      ...services.map((subject) => ({ service: { account: 'HOSTS', subject } })),
      ...streams.map((subject) => ({ stream: { account: 'HOSTS', subject } })),
    ])}
  }
}
`
}
