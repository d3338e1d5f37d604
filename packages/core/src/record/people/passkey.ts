import * as v from 'valibot'
import { base64url, type PasskeyProof, type PasskeySite, siteEntries } from '../../answer/passkey-proof.ts'
import { AskError } from '../../lib/errors.ts'
import { filledText, listOf, parseJson, parseWith } from '../../lib/schema.ts'
import { PUBLIC_KEYS_VARIABLE } from '../answer-file/signed-claims.ts'
import { isSameName } from './author.ts'
import type { PolicyRule } from './policy-rule.ts'
import { policyRuleSchema } from './policy-rule-schema.ts'

/** The environment variable in which a host gives a runner the {@link RunPasskeys}, as JSON. */
export const PASSKEYS_VARIABLE = 'SANDAGENT_PASSKEYS'

type Environment = Record<string, string | undefined>

/**
 * What an environment demands of answers: signatures by the public keys, as a text, and passkeys; `undefined` for nothing.
 *
 * @throws AskError `INVALID_REQUEST` for passkeys without public keys, because a runner that checks no signatures checks no
 *   passkeys; also for what holds no passkeys
 */
export function demandIn(
  environment: Environment,
): { publicKeys: string; passkeys: RunPasskeys | undefined } | undefined {
  const publicKeys = environment[PUBLIC_KEYS_VARIABLE]
  // An empty text is no key, and no reason to take answers that nobody has signed.
  if (publicKeys !== undefined) return { publicKeys, passkeys: passkeysIn(environment) }
  if (environment[PASSKEYS_VARIABLE] === undefined) return undefined
  throw new AskError(
    'INVALID_REQUEST',
    `${PASSKEYS_VARIABLE} is set, and ${PUBLIC_KEYS_VARIABLE} is not: set both, as startRun and \`sandagent passkeys env\` do`,
  )
}

/** The public part of a person's passkey. All binary values are base64url. */
export interface Passkey {
  /** The id of the credential. */
  id: string
  /** The public key, as COSE has it. */
  publicKey: string
  /** Whose it is, by the name that the host authenticates. */
  person: string
}

/** What a run is started with, where a passkey must sign for some of its calls. */
export interface RunPasskeys extends PasskeySite {
  /** Which calls, and how many people: as the host's policy. */
  policy: PolicyRule[]
  passkeys: Passkey[]
}

/** The passkeys of a host. `openPasskeys` of `@sandagent/passkeys` makes them. */
export interface HostPasskeys extends PasskeySite {
  /** Those that are registered now. */
  list(): Promise<Passkey[]>
  /**
   * Checks that a passkey has signed a digest, see `signedDigest`.
   *
   * @param site where it must have been used. Default: this site
   * @throws AskError `PASSKEY_NEEDED`, which says what is wrong
   */
  verify(proof: PasskeyProof, digest: string, passkey: Passkey, site?: PasskeySite): Promise<PasskeyFacts>
}

/** What a run must know of the passkeys of a host, and of its policy. */
export async function runPasskeysOf(
  { rpId, origins, list }: Pick<HostPasskeys, 'rpId' | 'origins' | 'list'>,
  policy: readonly PolicyRule[],
): Promise<RunPasskeys> {
  const passkeys = (await list()).map(({ id, publicKey, person }) => ({ id, publicKey, person }))
  return { rpId, origins, policy: [...policy], passkeys }
}

/** What an authenticator says of itself when it signs. No decision depends on it. */
export interface PasskeyFacts {
  /** How often it has signed; 0 for one that does not count. */
  counter: number
  /** Whether the passkey is kept elsewhere too, such as in an account. */
  isBackedUp: boolean
}

/** The passkeys of those who may answer by a rule. Who has a role, and who owns the run, only the host knows. */
export const passkeysBy = (
  { people, roles, owner }: PolicyRule,
  passkeys: readonly Passkey[],
): readonly Passkey[] =>
  people && !roles && !owner
    ? passkeys.filter(({ person }) => people.some((name) => isSameName(name, person)))
    : passkeys

/** More than a person uses, and far more than a policy names. */
const MOST_PASSKEYS = 1000

/** The shape of a {@link Passkey}. */
export const passkeySchema: v.GenericSchema<unknown, Passkey> = v.object({
  id: base64url,
  publicKey: base64url,
  person: filledText,
})

const runPasskeysSchema: v.GenericSchema<unknown, RunPasskeys> = v.object({
  ...siteEntries,
  policy: v.pipe(v.array(policyRuleSchema), v.minLength(1, 'at least one rule')),
  passkeys: listOf(passkeySchema, MOST_PASSKEYS),
})

/** Reads a list of passkeys, as JSON. @throws AskError `INVALID_FILE` with every fault */
export function parsePasskeys(text: string): Passkey[] {
  const what = 'This is no list of passkeys'
  const list = parseJson(text, 'INVALID_FILE', what)
  return parseWith(listOf(passkeySchema, MOST_PASSKEYS), list, 'INVALID_FILE', what)
}

/** The passkeys that an environment demands, if any. @throws AskError `INVALID_REQUEST` with every fault */
export function passkeysIn({ [PASSKEYS_VARIABLE]: text }: Environment): RunPasskeys | undefined {
  if (text === undefined) return undefined
  const what = `${PASSKEYS_VARIABLE} holds no passkeys, such as those that \`sandagent passkeys env\` prints on the host`
  return parseWith(runPasskeysSchema, parseJson(text, 'INVALID_REQUEST', what), 'INVALID_REQUEST', what)
}
