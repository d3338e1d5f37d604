import { ECDH } from 'node:crypto'
import { filledText, invalid, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import { checkEndpoint, type EndpointCheck } from './endpoint.ts'

/** What a browser gives to be reached, and what its person wants to see. */
export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
  /** Whether notices in this browser may show the words of questions. */
  showText: boolean
}

/** Whether a text is a point of P-256 as base64url, which browsers have as public key (RFC 8291). */
function isPublicKey(text: string): boolean {
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}

const isSecret = (text: string): boolean => Buffer.from(text, 'base64url').length === 16

export const subscriptionSchema: v.GenericSchema<unknown, Subscription> = v.object({
  endpoint: v.pipe(filledText, v.maxLength(1000)),
  keys: v.object({
    p256dh: v.pipe(v.string(), v.check(isPublicKey, 'a point of P-256 as base64url')),
    auth: v.pipe(v.string(), v.check(isSecret, '16 bytes as base64url')),
  }),
  showText: v.optional(v.boolean(), false),
})

/** @throws AskError `INVALID_REQUEST` for what is no subscription, or has an endpoint that no push service has */
export function parseSubscription(body: unknown, check: EndpointCheck): Subscription {
  const what = 'This is no push subscription'
  const subscription = parseWith(subscriptionSchema, body, 'INVALID_REQUEST', what)
  const fault = checkEndpoint(subscription.endpoint, check)
  if (fault !== null) throw invalid('INVALID_REQUEST', what, [{ path: 'endpoint', expected: fault }])
  return subscription
}
