import { createHash, randomUUID } from 'node:crypto'
import {
  AskError,
  type Clock,
  isFinal,
  isSettled,
  parseWith,
  type QuestionRecord,
  type QuestionState,
  questionDigestOf,
  systemClock,
} from '@sandagent/core/internal'
import { decodeProtectedHeader, errors } from 'jose'
import * as v from 'valibot'
import { channelOf } from '../answers/sandbox-channel.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { loadSigningKeys } from './load-signing-keys.ts'
import type { SigningKeys } from './signing-keys.ts'

const LINK_TOKEN_TYPE = 'sandagent-link+jwt'

const DEFAULT_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

/** A link that lets whoever has it answer one question, once. */
export interface AnswerLinkRequest {
  toolCallId: string
  /** The address of the page that shows the form. The answer handler that it asks has the same under `links`. */
  page: string
  /** Stored with the answer. The link goes to this person. */
  answeredBy?: string
  /** In milliseconds. Default a week. */
  expiresInMs?: number
}

export interface AnswerLinkOptions {
  /** What signs it. Default: this host's own signingKeys, which are made where there are none. */
  signingKeys?: SigningKeys
  clock?: Clock
}

/**
 * Makes a link to one question's form, for an e-mail or a chat message: `PAGE#toolCallId=…&token=…`. What stands behind
 * the `#` is sent to no server. The page sends the token as `Authorization: Bearer`; only that redeems it.
 *
 * @throws AskError `NOT_FOUND` for a question that no runner recorded, `GONE` for one that has ended.
 */
export async function createAnswerLink(
  sandbox: AnswerableSandbox,
  { toolCallId, page, answeredBy, expiresInMs = DEFAULT_LIFETIME_MS }: AnswerLinkRequest,
  { signingKeys, clock = systemClock }: AnswerLinkOptions = {},
): Promise<string> {
  const { record, answerFile } = await channelOf(sandbox, { clock, signingKeys }).read(toolCallId)
  if (!record) throw new AskError('NOT_FOUND', 'No such question is asked', { facts: { toolCallId } })
  if (isSettled(record) || (answerFile && isFinal(answerFile)))
    throw new AskError('GONE', 'This question has ended', { facts: { toolCallId } })
  const own = signingKeys ?? (await loadSigningKeys({ create: true, outside: sandbox.hostFolder }))
  const claims: LinkClaims = {
    aud: page,
    sub: toolCallId,
    jti: randomUUID(),
    questionDigest: digestOf(record),
    ...(answeredBy !== undefined && { answeredBy }),
  }
  const facts = { type: LINK_TOKEN_TYPE, lifetimeMs: expiresInMs, clock }
  const link = new URL(page)
  link.hash = new URLSearchParams({
    toolCallId,
    token: await own.sign(claims, facts),
  }).toString()
  return link.href
}

const claimsSchema = v.object({
  aud: v.string(),
  sub: v.string(),
  jti: v.string(),
  questionDigest: v.string(),
  answeredBy: v.exactOptional(v.string()),
})

type LinkClaims = v.InferOutput<typeof claimsSchema>

/** The asking that a link is for: not the next one under the same id, and not after it was changed. */
const digestOf = (record: QuestionRecord): string =>
  createHash('sha256')
    .update(`${questionDigestOf(record)} ${record.nonce}`)
    .digest('hex')

/** The token of an answer link that a request carries; `null` for other tokens, which are for `authorize`. */
export function linkTokenIn({ headers }: Request): string | null {
  const token = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (token === undefined) return null
  try {
    return decodeProtectedHeader(token).typ === LINK_TOKEN_TYPE ? token : null
  } catch {
    return null
  }
}

/** Who redeems a link, and its id. */
export interface RedeemedLink {
  link: string
  answeredBy?: string
}

/**
 * Checks an answer link for a question. The final answer is what uses it up, so nothing else has to be remembered: until
 * then it may be opened again, and save drafts.
 *
 * @throws AskError `LINK_EXPIRED`, `LINK_USED`, and `LINK_INVALID` for every other one that does not fit.
 */
export async function redeemLink(
  token: string,
  { record, answerFile, toolCallId }: QuestionState,
  { signingKeys, page, clock }: { signingKeys: SigningKeys | null | undefined; page: string; clock: Clock },
): Promise<RedeemedLink> {
  const own = signingKeys === undefined ? await loadSigningKeys() : signingKeys
  if (own === null) throw new AskError('LINK_INVALID', 'This link is not from here')
  const { sub, questionDigest, jti, answeredBy } = await claimsIn(token, own, page, clock)
  if (sub !== toolCallId || !record || questionDigest !== digestOf(record))
    throw new AskError('LINK_INVALID', 'This link is for another question')
  const isAnswered = (answerFile && isFinal(answerFile)) || ANSWERED.includes(record.state)
  if (isAnswered) throw linkUsed()
  return { link: jti, ...(answeredBy !== undefined && { answeredBy }) }
}

/** The refusal of a link whose question is answered. */
export const linkUsed = (): AskError =>
  new AskError('LINK_USED', 'This question has been answered, and its link used up')

const ANSWERED = ['answered', 'partial', 'declined']

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
    if (error instanceof errors.JWTExpired) throw new AskError('LINK_EXPIRED', 'This link has expired')
    if (error instanceof errors.JOSEError) throw new AskError('LINK_INVALID', 'This link is not from here')
    throw error
  }
}
