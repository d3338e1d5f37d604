import { createUser, encodeUser, fmtCreds } from '@nats-io/jwt'
import { AskError, type Clock, checkOptions, type OptionNames, systemClock } from '@sandagent/core/internal'
import type { RunnerAccess } from './runner-access.ts'

export interface RunnerCredentialsOptions {
  access: RunnerAccess
  /** The public key of the runners' account. It begins with `A`. */
  account: string
  /** The seed of a signing key of that account. It begins with `SA`. */
  signingKey: string
  /** How long the credentials are good for, in milliseconds. */
  lifetimeMs: number
  clock?: Clock | undefined
}

const NAMES: OptionNames<RunnerCredentialsOptions> = {
  access: true,
  account: true,
  signingKey: 'secret',
  lifetimeMs: true,
  clock: 'clock',
}

/** How much a sandbox may do at once. */
const LIMITS = { subs: 20, data: -1, payload: -1, allowed_connection_types: [] }

/**
 * Credentials of one runner: a user's JWT with the permissions of its access, and a new key. Servers accept it without any
 * change of their configuration.
 *
 * @returns the text of a credentials file
 */
export async function runnerCredentials(options: RunnerCredentialsOptions): Promise<string> {
  checkOptions('runnerCredentials', options, NAMES)
  const { access, account, signingKey, lifetimeMs, clock = systemClock } = options
  const { namespace, permissions } = access
  const user = createUser()
  try {
    const claims = {
      ...LIMITS,
      pub: { allow: [...permissions.publish], deny: [] },
      sub: { allow: [...permissions.subscribe], deny: [] },
    }
    const exp = Math.floor((clock.now() + lifetimeMs) / 1000)
    const token = await encodeUser(namespace, user, account, claims, { signer: signingKey, exp })
    return new TextDecoder().decode(fmtCreds(token, user))
  } catch (cause) {
    throw new AskError(
      'INVALID_REQUEST',
      'The account is no public key of NATS (A…), or the signing key no seed of one (SA…). Make them with nsc',
      { cause },
    )
  }
}
