import { createFakeClock } from '@sandagent/core/testing'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { createSessions, type Sessions } from '../../src/serve/sessions.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

async function sessionsAndClock(options: { isSecure?: boolean } = {}) {
  const clock = createFakeClock()
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const sessions = createSessions(signingKeys, { isSecure: false, clock, ...options })
  return { sessions, clock, signingKeys }
}

const signedIn = (sessions: Sessions, setCookie: string | null): Promise<boolean> => {
  const cookie = `theme=dark; ${setCookie?.split(';')[0]}; other=1`
  return sessions.isSignedIn(new Request('http://127.0.0.1/', { headers: { cookie } }))
}

describe('a sign-in link', () => {
  it('counts once', async () => {
    const { sessions } = await sessionsAndClock()
    const link = sessions.newLink()
    expect(await signedIn(sessions, await sessions.signIn(link))).toBe(true)
    expect(await sessions.signIn(link)).toBeNull()
    expect(await sessions.signIn('')).toBeNull()
  })

  it('counts for ten minutes', async () => {
    const { sessions, clock } = await sessionsAndClock()
    const [first, second] = [sessions.newLink(), sessions.newLink()]
    clock.advance(10 * MINUTE_MS - 1)
    expect(await sessions.signIn(first)).not.toBeNull()
    clock.advance(1)
    expect(await sessions.signIn(second)).toBeNull()
  })
})

describe('a session', () => {
  it('lasts 30 days', async () => {
    const { sessions, clock } = await sessionsAndClock()
    const cookie = await sessions.signIn(sessions.newLink())
    clock.advance(30 * DAY_MS - 1000)
    expect(await signedIn(sessions, cookie)).toBe(true)
    clock.advance(1000)
    expect(await signedIn(sessions, cookie)).toBe(false)
  })

  it('counts for the host that signed it alone, and no other token of that host counts', async () => {
    const { sessions, signingKeys, clock } = await sessionsAndClock()
    const other = await sessionsAndClock()
    expect(await signedIn(sessions, await other.sessions.signIn(other.sessions.newLink()))).toBe(false)
    const token = await signingKeys.sign({}, { type: 'sandagent-link+jwt', clock, lifetimeMs: DAY_MS })
    expect(await signedIn(sessions, `sandagent-inbox=${token}`)).toBe(false)
    expect(await sessions.isSignedIn(new Request('http://127.0.0.1/'))).toBe(false)
  })

  it('is for HTTPS alone where browsers reach the server by it', async () => {
    const { sessions } = await sessionsAndClock({ isSecure: true })
    expect(await sessions.signIn(sessions.newLink())).toMatch(/; Secure$/)
  })
})
