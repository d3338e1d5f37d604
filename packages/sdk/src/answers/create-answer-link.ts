import {
  AskError,
  type Clock,
  checkOptions,
  DEFAULT_LINK_LIFETIME_MS,
  isFinal,
  isSettled,
  type OptionNames,
  parseWith,
  systemClock,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { signLink } from '../signing/answer-link.ts'
import { loadSigningKeys } from '../signing/load-signing-keys.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { channelOf } from './sandbox-channel.ts'

/** A link that lets its holder answer one question, once. */
export interface AnswerLinkRequest {
  toolCallId: string
  /** The address of the page that shows the form. The answer handler has the same address under `links`. */
  page: string
  /** The person who gets the link. It is stored with the answer. */
  answeredBy?: string | undefined
  /** The roles that this person has, for the policy. They need `answeredBy`. */
  roles?: readonly string[] | undefined
  /** In milliseconds. Default: a week. */
  expiresInMs?: number | undefined
}

export interface AnswerLinkOptions {
  /** Signs the link. Default: this host's own signing keys, which are made if there are none. */
  signingKeys?: SigningKeys | undefined
  clock?: Clock | undefined
}

const requestSchema = v.pipe(
  v.strictObject({
    toolCallId: v.string(),
    page: v.pipe(v.string(), v.url('the address of a page')),
    answeredBy: v.optional(v.string()),
    roles: v.optional(v.array(v.string())),
    expiresInMs: v.optional(
      v.pipe(v.number(), v.finite('a number from 1 on'), v.minValue(1, 'a number from 1 on')),
    ),
  }),
  v.forward(
    v.check(
      ({ answeredBy, roles }) => !roles?.length || Boolean(answeredBy),
      'a name: roles are those of a person',
    ),
    ['answeredBy'],
  ),
)
const NAMES: OptionNames<AnswerLinkOptions> = { signingKeys: true, clock: 'clock' }

/**
 * Makes a link to one question's form, for an e-mail or a chat message: `PAGE#toolCallId=…&token=…`. Browsers send the
 * part after `#` to no server. The page sends the token as `Authorization: Bearer`.
 *
 * @throws AskError `NOT_FOUND` for a question that no runner recorded, `GONE` for one that has ended, `INVALID_REQUEST`
 * for unknown options and wrong values.
 */
export async function createAnswerLink(
  sandbox: AnswerableSandbox,
  request: AnswerLinkRequest,
  options: AnswerLinkOptions = {},
): Promise<string> {
  checkOptions('createAnswerLink: its options', options, NAMES)
  const {
    toolCallId,
    page,
    answeredBy,
    roles,
    expiresInMs = DEFAULT_LINK_LIFETIME_MS,
  } = parseLinkRequest(request)
  const { signingKeys, clock = systemClock } = options
  const { record, answerFile } = await channelOf(sandbox, { clock, signingKeys }).read(toolCallId)
  if (!record)
    throw new AskError('NOT_FOUND', 'No such question is asked. Make the link in onAsked, or later', {
      facts: { toolCallId },
    })
  if (isSettled(record) || (answerFile && isFinal(answerFile)))
    throw new AskError('GONE', 'This question has ended', { facts: { toolCallId } })
  const own = signingKeys ?? (await loadSigningKeys({ create: true, outside: sandbox.hostFolder }))
  const token = await signLink(own, record, { page, answeredBy, roles, lifetimeMs: expiresInMs, clock })
  const link = new URL(page)
  link.hash = new URLSearchParams({ toolCallId, token }).toString()
  return link.href
}

/** @throws AskError `INVALID_REQUEST` with every fault */
export const parseLinkRequest = (request: unknown): AnswerLinkRequest =>
  parseWith(requestSchema, request, 'INVALID_REQUEST', 'createAnswerLink: its request')
