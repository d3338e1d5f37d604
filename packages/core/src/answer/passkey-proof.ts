import * as v from 'valibot'
import { filledText, listOf } from '../lib/schema.ts'

/** What a passkey has signed, as WebAuthn gives it. All values are base64url. */
export interface PasskeyProof {
  /** The id of the credential. */
  id: string
  clientDataJSON: string
  authenticatorData: string
  signature: string
}

/** Some kinds of keys sign with three thousand bytes. In characters. */
const LONGEST = 8000

export const base64url: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.regex(/^[\w-]+$/, 'base64url'),
  v.maxLength(LONGEST, `at most ${LONGEST} characters`),
)

/** The shape of a {@link PasskeyProof} in files and requests. */
export const passkeyProofSchema: v.GenericSchema<unknown, PasskeyProof> = v.object({
  id: base64url,
  clientDataJSON: base64url,
  authenticatorData: base64url,
  signature: base64url,
})

/** Where passkeys are used: they sign for no other site. */
export interface PasskeySite {
  /** The domain that the passkeys belong to. */
  rpId: string
  /** The pages on which a person may use them, such as `https://inbox.example.com`. */
  origins: string[]
}

/** More than one inbox has. */
const MOST_ORIGINS = 1000

/** What {@link PasskeySite} has in files. */
export const siteEntries: {
  rpId: v.GenericSchema<unknown, string>
  origins: v.GenericSchema<unknown, string[]>
} = {
  rpId: filledText,
  origins: v.pipe(listOf(filledText, MOST_ORIGINS), v.minLength(1, 'at least one origin')),
}

/** Which passkeys count for an approval, where they are used, and how many people must sign. */
export interface PasskeyDemand extends PasskeySite {
  ids: string[]
  votes: number
  /** The run that asked first. What a passkey signed for it counts for a run that takes the question up. */
  runId: string
}

/** More than the people of a policy have. */
const MOST_PASSKEYS = 1000

/** The shape of a {@link PasskeyDemand}. */
export const passkeyDemandSchema: v.GenericSchema<unknown, PasskeyDemand> = v.object({
  ...siteEntries,
  ids: listOf(v.string(), MOST_PASSKEYS),
  votes: v.pipe(v.number(), v.integer(), v.minValue(1)),
  runId: v.string(),
})
