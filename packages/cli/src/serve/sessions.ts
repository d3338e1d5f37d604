// Why it is so: docs/decisions/0079-a-link-signs-in-one-browser.md

import { randomBytes } from 'node:crypto'
import { AskError, type Clock, digestOf, systemClock } from '@sandagent/core/internal'
import type { SigningKeys } from '@sandagent/sdk'

const TOKEN_TYPE = 'sandagent-inbox+jwt'

/** How long a link can be used, and how long a browser stays signed in, in milliseconds. */
const LINK_MS = 10 * 60_000
const SESSION_MS = 30 * 24 * 60 * 60_000

/** What a session counts for. Another server with the same key may be another person's. */
export interface ServedInbox {
  port: number
  answeredBy: string
  roles?: readonly string[] | undefined
  /** The folders that the server was told to show. */
  folders: unknown
}

/** Who is signed in. A link signs in one browser, once. */
export interface Sessions {
  /** Makes the secret of a new link. */
  newLink(): string
  /** Whether a link can be used. It is not used up. */
  counts(secret: string): boolean
  /** Uses a link up. Resolves to the `Set-Cookie` of the session, or `null` for a link that does not count. */
  signIn(secret: string): Promise<string | null>
  isSignedIn(request: Request): Promise<boolean>
  /** @throws AskError `UNAUTHENTICATED` */
  requireSession(request: Request): Promise<void>
}

/**
 * Signs sessions with the keys of this host, so that browsers stay signed in when the server starts again. Cookies know no
 * ports, so the name of the cookie has the port.
 *
 * @param options.isSecure whether browsers reach the server by HTTPS
 */
export function createSessions(
  signingKeys: SigningKeys,
  served: ServedInbox,
  { isSecure, clock = systemClock }: { isSecure: boolean; clock?: Clock },
): Sessions {
  const cookieName = `sandagent-inbox-${served.port}`
  const server = digestOf({ ...served, roles: [...(served.roles ?? [])].sort() })
  const links = new Map<string, number>()
  const sessions: Sessions = {
    newLink() {
      const secret = randomBytes(32).toString('base64url')
      links.set(secret, clock.now() + LINK_MS)
      return secret
    },
    counts: (secret) => (links.get(secret) ?? 0) > clock.now(),
    async signIn(secret) {
      const isGood = sessions.counts(secret)
      links.delete(secret)
      if (!isGood) return null
      const token = await signingKeys.sign({ server }, { type: TOKEN_TYPE, clock, lifetimeMs: SESSION_MS })
      const facts = ['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${SESSION_MS / 1000}`]
      return [`${cookieName}=${token}`, ...facts, ...(isSecure ? ['Secure'] : [])].join('; ')
    },
    async isSignedIn({ headers }) {
      const cookies = (headers.get('cookie') ?? '').split('; ')
      const token = cookies
        .find((cookie) => cookie.startsWith(`${cookieName}=`))
        ?.slice(cookieName.length + 1)
      if (token === undefined) return false
      return signingKeys.verify(token, { type: TOKEN_TYPE, clock }).then(
        (claims) => claims.server === server,
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
