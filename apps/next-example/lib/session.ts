import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { cookies } from 'next/headers'

export const SESSION_COOKIE = 'session'

/** The content of a session cookie for a user who was not here before: `USER.SIGNATURE`. */
export function newSession(): string {
  const user = randomUUID()
  return `${user}.${signatureOf(user)}`
}

/** Who sends the request at hand, or `null` when the cookie is missing or not from here. */
export async function currentUser(): Promise<string | null> {
  const session = (await cookies()).get(SESSION_COOKIE)?.value
  const [user = '', signature = ''] = session?.split('.') ?? []
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(user))]
  return given.length === right.length && timingSafeEqual(given, right) ? user : null
}

const signatureOf = (user: string): string =>
  createHmac('sha256', process.env.SESSION_SECRET as string)
    .update(user)
    .digest('hex')
