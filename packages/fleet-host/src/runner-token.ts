import {
  AskError,
  type Clock,
  checkOptions,
  filledText,
  parseWith,
  systemClock,
} from '@sandagent/core/internal'
import { loadSigningKeys, SIGNING_KEY_VARIABLE, type SigningKeys } from '@sandagent/sdk/internal'
import { JOSEError } from 'jose/errors'
import * as v from 'valibot'

const RUNNER_TOKEN_TYPE = 'sandagent-runner+jwt'

/** How long a token is valid. The host renews it while the run goes on and its runner is connected. */
const LIFETIME_MS = 24 * 60 * 60_000

/** What a runner may do: ask questions of its run, and read them and their answers. */
export interface RunnerAccess {
  namespace: string
  runId: string
  /** Earlier runs whose questions this run may take up. */
  continues: readonly string[]
}

const claimsSchema = v.object({
  namespace: v.string(),
  runId: v.string(),
  continues: v.array(v.string()),
  exp: v.number(),
})

/** What cannot be read back must not be signed. */
const accessSchema = v.object({
  namespace: filledText,
  runId: filledText,
  continues: v.optional(v.array(v.string())),
})

export interface RunnerTokenOptions {
  /** Default: those of this host. */
  signingKeys?: SigningKeys | null | undefined
  clock?: Clock | undefined
}

/**
 * Makes the token of a runner that `startRun` does not start: a JWT that is valid for a day.
 *
 * @throws AskError `INVALID_REQUEST` without a namespace and the id of a run, `NO_SIGNING_KEY` when this host has no key
 */
export async function createRunnerToken(
  access: Omit<RunnerAccess, 'continues'> & Partial<RunnerAccess>,
  options: RunnerTokenOptions = {},
): Promise<string> {
  checkOptions('createRunnerToken: its options', options, { signingKeys: true, clock: 'clock' })
  checkOptions('createRunnerToken', access, { namespace: true, runId: true, continues: 'list' })
  const { signingKeys, clock = systemClock } = options
  const {
    namespace,
    runId,
    continues = [],
  } = parseWith(accessSchema, access, 'INVALID_REQUEST', 'createRunnerToken')
  const keys = await keysOfFleet(signingKeys)
  const facts = { type: RUNNER_TOKEN_TYPE, clock, lifetimeMs: LIFETIME_MS }
  return keys.sign({ namespace, runId, continues }, facts)
}

/** @throws AskError `NO_SIGNING_KEY` when no keys are given and this host has none */
export async function keysOfFleet(given: SigningKeys | null | undefined): Promise<SigningKeys> {
  const keys = given ?? (await loadSigningKeys())
  if (keys) return keys
  throw new AskError(
    'NO_SIGNING_KEY',
    `This host has no signing key, so it can neither make nor check the tokens of runners. Give it the key of the fleet in ${SIGNING_KEY_VARIABLE}`,
  )
}

/** `expiresAt` is in milliseconds since 1970. @throws AskError `UNAUTHENTICATED` */
export async function readRunnerToken(
  token: string,
  { signingKeys, clock }: { signingKeys: SigningKeys; clock: Clock },
): Promise<RunnerAccess & { expiresAt: number; isOld: boolean }> {
  try {
    const payload = await signingKeys.verify(token, { type: RUNNER_TOKEN_TYPE, clock })
    const { exp, ...access } = parseWith(
      claimsSchema,
      payload,
      'UNAUTHENTICATED',
      'This is no token of a runner',
    )
    const expiresAt = exp * 1000
    return { ...access, expiresAt, isOld: expiresAt - clock.now() < LIFETIME_MS / 2 }
  } catch (cause) {
    if (cause instanceof JOSEError)
      throw new AskError(
        'UNAUTHENTICATED',
        'This token of a runner does not count, or has expired. Start the run again',
        {
          cause,
        },
      )
    throw cause
  }
}
