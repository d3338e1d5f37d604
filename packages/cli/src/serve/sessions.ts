// Why it is so: docs/decisions/0079-a-link-signs-in-one-browser.md

import { randomBytes } from 'node:crypto'
import { AskError, type Clock, digestOf, systemClock } from '@sandagent/core/internal'
import type { SigningKeys } from '@sandagent/sdk'

const TOKEN_TYPE = 'sandagent-inbox+jwt'

/** How long a link can be used, and how long a browser stays signed in, in milliseconds. */
const LINK_MS = 10 * 60_000
const SESSION_MS = 30 * 24 * 60 * 60_000

export type Sessions = ReturnType<typeof createSessions>

/**
 * Who is signed in. A link signs in one browser, once. The keys of this host sign sessions, so that browsers stay signed in
 * when the server starts again. Cookies know no ports, so the name of the cookie has the port.
 *
 * @param served what a session counts for: another server with the same key may be another person's, or show other folders
 * @param options.isSecure whether browsers reach the server by HTTPS
 */
export function createSessions(
  signingKeys: SigningKeys,
  served: { port: number; answeredBy: string; roles?: readonly string[] | undefined; folders: unknown },
  { isSecure, clock = systemClock }: { isSecure: boolean; clock?: Clock },
) {
  const cookieName = `sandagent-inbox-${served.port}`
  const server = digestOf({ ...served, roles: [...(served.roles ?? [])].sort() })
  const links = new Map<string, number>()
  /** Whether a link can be used. It is not used up. */
  const counts = (secret: string): boolean => (links.get(secret) ?? 0) > clock.now()
  /**
   * When the sessions end that were verified, by their tokens. The keys stay the same while this process lives, so a signature
   * that counts keeps counting. A stream asks for each of its events, and there may be thousands.
   */
  const ends = new Map<string, number>()
  const endOf = (token: string): Promise<number | null> =>
    signingKeys.verify(token, { type: TOKEN_TYPE, clock }).then(
      ({ server: signedFor, exp = 0 }) => (signedFor === server ? exp * 1000 : null),
      () => null,
    )
  const isSignedIn = async ({ headers }: Request): Promise<boolean> => {
    const cookies = (headers.get('cookie') ?? '').split('; ')
    const cookie = cookies.find((each) => each.startsWith(`${cookieName}=`))
    if (cookie === undefined) return false
    const token = cookie.slice(cookieName.length + 1)
    const endsAt = ends.get(token) ?? (await endOf(token))
    if (endsAt === null) return false
    ends.set(token, endsAt)
    return endsAt > clock.now()
  }
  return {
    counts,
    isSignedIn,
    /** Makes the secret of a new link. */
    newLink(): string {
      const secret = randomBytes(32).toString('base64url')
      links.set(secret, clock.now() + LINK_MS)
      return secret
    },
    /** Uses a link up. Resolves to the `Set-Cookie` of the session, or `null` for a link that does not count. */
    async signIn(secret: string): Promise<string | null> {
      const isGood = counts(secret)
      links.delete(secret)
      if (!isGood) return null
      const token = await signingKeys.sign({ server }, { type: TOKEN_TYPE, clock, lifetimeMs: SESSION_MS })
      const facts = ['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${SESSION_MS / 1000}`]
      return [`${cookieName}=${token}`, ...facts, ...(isSecure ? ['Secure'] : [])].join('; ')
    },
    /** @throws AskError `UNAUTHENTICATED` */
    async requireSession(request: Request): Promise<void> {
      if (await isSignedIn(request)) return
      throw new AskError('UNAUTHENTICATED', 'Sign in with a link of sandagent serve')
    },
  }
}
