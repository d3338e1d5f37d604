import { randomBytes } from 'node:crypto'
import { AskError, type Clock, systemClock } from '@sandagent/core'
import type { SigningKeys } from '@sandagent/sdk'

const COOKIE = 'sandagent-inbox'
const TOKEN_TYPE = 'sandagent-inbox+jwt'

/** How long a link can be used, and how long a browser stays signed in, in milliseconds. */
const LINK_MS = 10 * 60_000
const SESSION_MS = 30 * 24 * 60 * 60_000

/** Who is signed in. A link signs in one browser, once. */
export interface Sessions {
  /** Makes the secret of a new link. */
  newLink(): string
  /** Uses a link up. Resolves to the `Set-Cookie` of the session, or `null` for a link that does not count. */
  signIn(secret: string): Promise<string | null>
  isSignedIn(request: Request): Promise<boolean>
  /** @throws AskError `UNAUTHENTICATED` */
  requireSession(request: Request): Promise<void>
}

/**
 * Signs sessions with the keys of this host, so that browsers stay signed in when the server starts again.
 *
 * @param options.isSecure whether browsers reach the server by HTTPS
 */
export function createSessions(
  signingKeys: SigningKeys,
  { isSecure, clock = systemClock }: { isSecure: boolean; clock?: Clock },
): Sessions {
  const links = new Map<string, number>()
  const sessions: Sessions = {
    newLink() {
      const secret = randomBytes(32).toString('base64url')
      links.set(secret, clock.now() + LINK_MS)
      return secret
    },
    async signIn(secret) {
      const endsAt = links.get(secret) ?? 0
      links.delete(secret)
      if (endsAt <= clock.now()) return null
      const token = await signingKeys.sign({}, { type: TOKEN_TYPE, clock, lifetimeMs: SESSION_MS })
      const facts = ['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${SESSION_MS / 1000}`]
      return [`${COOKIE}=${token}`, ...facts, ...(isSecure ? ['Secure'] : [])].join('; ')
    },
    async isSignedIn({ headers }) {
      const cookies = (headers.get('cookie') ?? '').split('; ')
      const token = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1)
      if (token === undefined) return false
      return signingKeys.verify(token, { type: TOKEN_TYPE, clock }).then(
        () => true,
        () => false,
      )
    },
    async requireSession(request) {
      if (await sessions.isSignedIn(request)) return
      throw new AskError('UNAUTHENTICATED', 'Sign in with a link of sandagent serve')
    },
  }
  return sessions
}
