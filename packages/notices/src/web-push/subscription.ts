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

/** A number of bytes, as base64url. */
const bytes = (count: number): v.GenericSchema<string> =>
  v.pipe(
    v.string(),
    v.check((text) => Buffer.from(text, 'base64url').length === count, `${count} bytes as base64url`),
  )

/** The sizes are those of RFC 8291. */
export const subscriptionSchema: v.GenericSchema<unknown, Subscription> = v.object({
  endpoint: v.pipe(filledText, v.maxLength(1000)),
  keys: v.object({ p256dh: bytes(65), auth: bytes(16) }),
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
