import { createHmac, timingSafeEqual } from 'node:crypto'

/** How old a request of Slack may be, in seconds: what somebody has recorded must not count later. */
const OLDEST_S = 300

export function isFromSlack(
  body: string,
  headers: Headers,
  { signingSecret, now }: { signingSecret: string; now: number },
): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? ''
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > OLDEST_S) return false
  const hmac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`)
  const expected = Buffer.from(`v0=${hmac.digest('hex')}`)
  const given = Buffer.from(headers.get('x-slack-signature') ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
