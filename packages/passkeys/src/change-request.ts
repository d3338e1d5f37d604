import { type PasskeyProof, parseWith, passkeyProofSchema } from '@sandagent/core/internal'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import * as v from 'valibot'

/** Who vouches for a change: the machine's terminal by a code, or another passkey of the person. */
export interface Voucher {
  challenge: string
  /** What `newCode` has made. */
  code?: string
  /** What the other passkey has signed: see `changeDigest`. */
  proof?: PasskeyProof
}

const voucher = {
  challenge: v.string(),
  code: v.exactOptional(v.string()),
  proof: v.exactOptional(passkeyProofSchema),
}

/** The library checks what is inside. */
const responseSchema: v.GenericSchema<unknown, RegistrationResponseJSON> = v.object({
  id: v.string(),
  rawId: v.string(),
  type: v.literal('public-key'),
  response: v.object({ clientDataJSON: v.string(), attestationObject: v.string() }),
  clientExtensionResults: v.optional(v.object({}), {}),
})

const registrationSchema: v.GenericSchema<
  unknown,
  Voucher & { name: string; response: RegistrationResponseJSON }
> = v.object({ ...voucher, name: v.string(), response: responseSchema })

const removalSchema: v.GenericSchema<unknown, Voucher & { id: string }> = v.object({
  ...voucher,
  id: v.string(),
})

const beginningSchema: v.GenericSchema<unknown, Pick<Voucher, 'code'>> = v.object({ code: voucher.code })

const WHAT = 'This changes no passkey'

/** @throws AskError `INVALID_REQUEST` with every fault */
export const parseBeginning = (body: unknown): v.InferOutput<typeof beginningSchema> =>
  parseWith(beginningSchema, body, 'INVALID_REQUEST', WHAT)

/** @throws AskError `INVALID_REQUEST` with every fault */
export const parseRegistration = (body: unknown): v.InferOutput<typeof registrationSchema> =>
  parseWith(registrationSchema, body, 'INVALID_REQUEST', WHAT)

/** @throws AskError `INVALID_REQUEST` with every fault */
export const parseRemoval = (body: unknown): v.InferOutput<typeof removalSchema> =>
  parseWith(removalSchema, body, 'INVALID_REQUEST', WHAT)
