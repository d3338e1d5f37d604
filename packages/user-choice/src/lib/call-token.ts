import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const NAME = /^[0-9a-f]{64}$/

/** The file name of a call. Its id is unique only in its conversation, and is untrusted. */
export const callName = (groupId: string, id: string): string => hashOf(groupId, id)

export const hashOf = (...texts: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex')

/** The secret of a call's URL: the call's name and 256 random bits. */
export const createToken = (name: string): string => `${name}.${randomBytes(32).toString('base64url')}`

/** The URL of one call. Its token proves that the sender got the URL. */
export function urlOf(base: string, token: string): string {
  const url = new URL(base)
  url.searchParams.set('token', token)
  return url.href
}

/** The token of a request, and the name of the call that it claims. */
export function tokenOf(request: Request): { token: string; name: string } | null {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const name = token.slice(0, token.indexOf('.'))
  return NAME.test(name) ? { token, name } : null
}

/** Compares in constant time. */
export const sameToken = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b))

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
