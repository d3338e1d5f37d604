import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const NAME = /^[0-9a-f]{64}$/

/** The name of a call among the records: ids are unique in their conversation, and hostile. */
export const callName = (groupId: string, id: string): string => hashOf(groupId, id)

/** One name for several texts, of which no two lists share one. */
export const hashOf = (...texts: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex')

/** The secret of one call's URL: 256 random bits, after the call's name. */
export const createToken = (name: string): string => `${name}.${randomBytes(32).toString('base64url')}`

/** The URL by which the other side reaches one call, and by which it shows that it was asked to. */
export function urlOf(base: string, token: string): string {
  const url = new URL(base)
  url.searchParams.set('token', token)
  return url.href
}

/** The token of a request, and the call that it claims to be for. */
export function tokenOf(request: Request): { token: string; name: string } | null {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const name = token.slice(0, token.indexOf('.'))
  return NAME.test(name) ? { token, name } : null
}

/** Compares in a time that tells nothing of where two texts differ. */
export const sameToken = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b))

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
