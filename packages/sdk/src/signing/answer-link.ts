import { createHash, randomUUID } from 'node:crypto'
import {
  AskError,
  type Clock,
  isFinal,
  parseWith,
  type QuestionRecord,
  type QuestionState,
  questionDigestOf,
} from '@sandagent/core/internal'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { JOSEError, JWTExpired } from 'jose/errors'
import * as v from 'valibot'
import { hostKeys } from './load-signing-keys.ts'
import type { SigningKeys } from './signing-keys.ts'

const LINK_TOKEN_TYPE = 'sandagent-link+jwt'

const claimsSchema = v.object({
  aud: v.string(),
  sub: v.string(),
  jti: v.string(),
  questionDigest: v.string(),
  answeredBy: v.exactOptional(v.string()),
  roles: v.exactOptional(v.array(v.string())),
})

type LinkClaims = v.InferOutput<typeof claimsSchema>

/** Binds a link to its question: not to a later one with the same id, nor to a changed one. */
const digestOf = (record: QuestionRecord): string =>
  createHash('sha256')
    .update(`${questionDigestOf(record)} ${record.nonce}`)
    .digest('hex')

interface LinkFacts {
  page: string
  /** The holder. */
  answeredBy?: string | undefined
  roles?: readonly string[] | undefined
  lifetimeMs: number
  clock: Clock
}

/** Signs the token of a link to a recorded question. */
export const signLink = (
  signingKeys: SigningKeys,
  record: QuestionRecord,
  { page, answeredBy, roles, ...facts }: LinkFacts,
): Promise<string> =>
  signingKeys.sign(
    {
      aud: page,
      sub: record.toolCallId,
      jti: randomUUID(),
      questionDigest: digestOf(record),
      answeredBy,
      roles,
    },
    { type: LINK_TOKEN_TYPE, ...facts },
  )

/** The token of an answer link in a request; `null` for other tokens, which are for `authorize`. */
export function linkTokenIn({ headers }: { headers: Pick<Headers, 'get'> }): string | null {
  const token = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (token === undefined) return null
  try {
    return decodeProtectedHeader(token).typ === LINK_TOKEN_TYPE ? token : null
  } catch {
    return null
  }
}

/** The id of a link, and the person whom it was made for. */
export interface RedeemedLink {
  link: string
  answeredBy?: string | undefined
  roles?: string[] | undefined
}

interface RedeemOptions {
  signingKeys: SigningKeys | null | undefined
  page: string
  clock: Clock
  /** Accepts a link that is used up: the page that used it may send its answer again. */
  mayBeUsed?: boolean | undefined
}

/**
 * Checks an answer link for a question. A final answer uses it up. Before, it may be opened and save drafts repeatedly.
 *
 * @throws AskError `LINK_EXPIRED`, `LINK_USED`, or else `LINK_INVALID`.
 */
export async function redeemLink(
  token: string,
  state: QuestionState,
  { signingKeys, page, clock, mayBeUsed = false }: RedeemOptions,
): Promise<RedeemedLink> {
  const own = await hostKeys(signingKeys)
  if (own === null) throw new AskError('LINK_INVALID', 'This link is not from here')
  const { record, toolCallId } = state
  const { sub, questionDigest, jti, answeredBy, roles } = await claimsIn(token, own, page, clock)
  if (sub !== toolCallId || !record || questionDigest !== digestOf(record))
    throw new AskError('LINK_INVALID', 'This link is for another question')
  if (!mayBeUsed && isAnswered(state)) throw linkUsed()
  return { link: jti, answeredBy, roles }
}

/** Whether the question has an answer, so that its links are used up. */
export const isAnswered = ({ record, answerFile }: QuestionState): boolean =>
  (answerFile !== undefined && isFinal(answerFile)) || ANSWERED.includes(record?.state ?? '')

/** The error for a link whose question is answered. */
export const linkUsed = (): AskError =>
  new AskError('LINK_USED', 'This question has been answered, and its link used up')

const ANSWERED: readonly string[] = ['answered', 'partial', 'declined']

async function claimsIn(
  token: string,
  signingKeys: SigningKeys,
  page: string,
  clock: Clock,
): Promise<LinkClaims> {
  try {
    const payload = await signingKeys.verify(token, { type: LINK_TOKEN_TYPE, audience: page, clock })
    return parseWith(claimsSchema, payload, 'LINK_INVALID', 'This link cannot be read')
  } catch (error) {
    if (error instanceof JWTExpired) throw new AskError('LINK_EXPIRED', 'This link has expired')
    if (error instanceof JOSEError) throw new AskError('LINK_INVALID', 'This link is not from here')
    throw error
  }
}
