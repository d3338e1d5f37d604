// Why it is so: docs/decisions/0118-a-passkey-signs-question-and-answer.md

import {
  AskError,
  type Clock,
  changeDigest,
  checkOptions,
  checkProof,
  type HostPasskeys,
  invalid,
  isSameName,
  type OptionNames,
  type PasskeySite,
  type PolicyRule,
  printableLine,
  proofFault,
  type RunPasskeys,
  refuseFrames,
  runPasskeysOf,
  systemClock,
} from '@sandagent/core/internal'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import { parseBeginning, parseRegistration, parseRemoval, type Voucher } from './change-request.ts'
import { openPasskeyFiles, type PasskeyEntry } from './passkey-files.ts'
import { passkeySiteFaults } from './passkey-site.ts'

export interface PasskeysOptions extends PasskeySite {
  /** Where they are kept, for this user alone. Default: `passkeys` in the folder of this user's hosts. */
  folder?: string | undefined
  clock?: Clock | undefined
}

/** What a page needs to register or to remove a passkey. It counts once, for five minutes, in this process. */
export interface PasskeyChange {
  challenge: string
  /** For `startRegistration` of `@simplewebauthn/browser`. */
  options: PublicKeyCredentialCreationOptionsJSON
  /** The passkeys of this person. One of them, or a code of the terminal, lets another one in. */
  ids: string[]
}

/** The passkeys of a host. */
export interface Passkeys extends HostPasskeys {
  /** Those that are registered for this site, the oldest first. */
  list(): Promise<PasskeyEntry[]>
  /** What a run must know: `startRun` passes it on. */
  forRun(policy: readonly PolicyRule[]): Promise<RunPasskeys>
  /**
   * Begins a change that a person makes in a browser.
   *
   * @param body the `code` with which they will register a passkey, if they have one. It is looked at, and stays: a device must
   *   not make a passkey that is refused
   * @throws AskError `PASSKEY_NEEDED` for a code that does not count
   */
  begin(person: string, body?: unknown): Promise<PasskeyChange>
  /**
   * Registers a passkey.
   *
   * @param body a {@link Voucher} with `response`, what `startRegistration` returned, and a `name` for the person
   *
   * @throws AskError `PASSKEY_NEEDED` when neither the terminal nor another passkey vouches for it, `INVALID_REQUEST` for what
   *   is no registration, `CONFLICT` for a passkey that is registered
   */
  register(person: string, body: unknown): Promise<PasskeyEntry>
  /**
   * Removes a passkey, for which another one or itself vouches. @param body a {@link Voucher} with the `id` of the passkey
   * @throws AskError `PASSKEY_NEEDED`, `NOT_FOUND`
   */
  removeBy(person: string, body: unknown): Promise<void>
  /** Removes a passkey. For the terminal of the machine. @throws AskError `NOT_FOUND` */
  remove(id: string): Promise<void>
  /** Makes a code by which a person registers one passkey, within ten minutes. For the terminal of the machine. */
  newCode(person: string): Promise<string>
}

const NAMES: OptionNames<PasskeysOptions> = { rpId: true, origins: 'list', folder: true, clock: 'clock' }

const codeNeeded = (problem: string): AskError =>
  new AskError(
    'PASSKEY_NEEDED',
    `${problem}: run "sandagent passkeys add --name NAME" on the machine of the inbox`,
  )

const wrongCode = (person: string): AskError =>
  codeNeeded(
    `This code is wrong, used, older than 10 minutes, or for another name than ${printableLine(person)}`,
  )

const CHANGE_MS = 5 * 60_000
const MOST_CHANGES = 1000
const LONGEST_NAME = 60

/**
 * Opens the passkeys of this host. Those of another domain stay where they are: no browser could use them here.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, and for a site on which browsers have no passkeys
 */
export function openPasskeys(options: PasskeysOptions): Passkeys {
  checkOptions('openPasskeys', options, NAMES)
  const { rpId, origins, folder, clock = systemClock } = options
  const faults = passkeySiteFaults(options)
  if (faults.length > 0) throw invalid('INVALID_REQUEST', 'openPasskeys: its options', faults)
  const files = openPasskeyFiles(folder)
  const changes = new Map<string, { person: string; until: number }>()
  const webAuthn = () => import('@simplewebauthn/server')

  const list = async (): Promise<PasskeyEntry[]> => (await files.all()).filter((entry) => entry.rpId === rpId)
  const of = async (person: string): Promise<PasskeyEntry[]> =>
    (await list()).filter((entry) => isSameName(entry.person, person))
  const verify: Passkeys['verify'] = async (proof, digest, passkey, site = { rpId, origins }) =>
    checkProof(await webAuthn(), proof, { ...site, digest, passkey })

  /** A change counts once. */
  const take = (challenge: string, person: string): void => {
    const change = changes.get(challenge)
    changes.delete(challenge)
    if (!change || change.until < clock.now() || !isSameName(change.person, person))
      throw new AskError('PASSKEY_NEEDED', 'This took too long, or was tried before: try again')
  }

  const vouched = async (
    person: string,
    { challenge, code, proof }: Voucher,
    change: { action: 'add' | 'remove'; id: string },
  ): Promise<void> => {
    if (proof) {
      const passkey = (await of(person)).find(({ id }) => id === proof.id)
      if (!passkey) throw new AskError('PASSKEY_NEEDED', 'This passkey is not registered here')
      await verify(proof, changeDigest({ challenge, ...change }), passkey)
      return
    }
    if (code === undefined) throw codeNeeded('This needs another passkey of yours, or a code')
    if (!(await files.takeCode(person, code, clock.now()))) throw wrongCode(person)
  }

  const remove = async (id: string): Promise<void> => {
    if (!(await files.remove(id))) throw new AskError('NOT_FOUND', 'There is no such passkey')
  }

  return {
    rpId,
    origins,
    list,
    verify,
    remove,
    forRun: (policy) => runPasskeysOf({ rpId, origins, list }, policy),

    async begin(person, body = {}) {
      const { code } = parseBeginning(body)
      if (code !== undefined && !(await files.isCodeOf(person, code, clock.now()))) throw wrongCode(person)
      for (const [challenge, { until }] of changes) if (until < clock.now()) changes.delete(challenge)
      if (changes.size >= MOST_CHANGES)
        throw new AskError('RATE_LIMITED', 'Too many passkeys are being registered: wait for some minutes')
      const { generateRegistrationOptions } = await webAuthn()
      const own = await of(person)
      const made = await generateRegistrationOptions({
        rpName: 'SandAgent',
        rpID: rpId,
        userName: person,
        attestationType: 'none',
        excludeCredentials: own.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      })
      changes.set(made.challenge, { person, until: clock.now() + CHANGE_MS })
      return { challenge: made.challenge, options: made, ids: own.map(({ id }) => id) }
    },

    async register(person, body) {
      const { response, name, ...voucher } = parseRegistration(body)
      take(voucher.challenge, person)
      const { verifyRegistrationResponse } = await webAuthn()
      const verified = async () => {
        refuseFrames(response.response)
        return verifyRegistrationResponse({
          response,
          expectedChallenge: voucher.challenge,
          expectedOrigin: origins,
          expectedRPID: rpId,
          requireUserVerification: true,
        })
      }
      const { registrationInfo } = await verified().catch((cause: unknown) => {
        throw new AskError('INVALID_REQUEST', `This passkey cannot be registered: ${proofFault(cause)}`, {
          cause,
        })
      })
      if (!registrationInfo)
        throw new AskError('INVALID_REQUEST', 'This passkey cannot be registered: its signature is wrong')
      const { credential, credentialBackedUp } = registrationInfo
      await vouched(person, voucher, { action: 'add', id: credential.id })
      const entry: PasskeyEntry = {
        id: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        person,
        name: printableLine(name).slice(0, LONGEST_NAME),
        rpId,
        addedAt: new Date(clock.now()).toISOString(),
        isBackedUp: credentialBackedUp,
      }
      await files.add(entry)
      return entry
    },

    async removeBy(person, body) {
      const { id, ...voucher } = parseRemoval(body)
      take(voucher.challenge, person)
      if (!(await of(person)).some((entry) => entry.id === id))
        throw new AskError('NOT_FOUND', 'You have no such passkey')
      await vouched(person, voucher, { action: 'remove', id })
      await remove(id)
    },

    newCode: (person) => files.newCode(person, clock.now()),
  }
}
