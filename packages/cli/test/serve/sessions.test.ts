import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { createSessions, type Sessions } from '../../src/serve/sessions.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

type Served = Parameters<typeof createSessions>[1]

const SERVED: Served = { port: 7263, answeredBy: 'ada', roles: ['lead', 'dev'], folders: ['/shop'] }

async function sessionsAndClock(options: { isSecure?: boolean } = {}) {
  const clock = createFakeClock()
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const sessions = createSessions(signingKeys, SERVED, { isSecure: false, clock, ...options })
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

  it('is not used up by a look at it', async () => {
    const { sessions, clock } = await sessionsAndClock()
    const [link, late] = [sessions.newLink(), sessions.newLink()]
    expect([sessions.counts(link), sessions.counts(link), sessions.counts('')]).toEqual([true, true, false])
    expect(await sessions.signIn(link)).not.toBeNull()
    expect(sessions.counts(link)).toBe(false)
    clock.advance(10 * MINUTE_MS)
    expect(sessions.counts(late)).toBe(false)
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

  it('is verified once, however often a stream asks for it', async () => {
    const { sessions, signingKeys } = await sessionsAndClock()
    const verify = vi.spyOn(signingKeys, 'verify')
    const cookie = await sessions.signIn(sessions.newLink())
    for (let count = 0; count < 3; count++) expect(await signedIn(sessions, cookie)).toBe(true)
    expect(verify).toHaveBeenCalledTimes(1)
  })

  it('counts for the host that signed it alone, and no other token of that host counts', async () => {
    const { sessions, signingKeys, clock } = await sessionsAndClock()
    const other = await sessionsAndClock()
    expect(await signedIn(sessions, await other.sessions.signIn(other.sessions.newLink()))).toBe(false)
    const token = await signingKeys.sign({}, { type: 'sandagent-link+jwt', clock, lifetimeMs: DAY_MS })
    expect(await signedIn(sessions, `sandagent-inbox-7263=${token}`)).toBe(false)
    expect(await sessions.isSignedIn(new Request('http://127.0.0.1/'))).toBe(false)
  })

  it.each<[string, Partial<Served>]>([
    ['another person', { answeredBy: 'bob' }],
    ['other roles', { roles: ['lead'] }],
    ['other folders', { folders: ['/blog'] }],
    ['another port', { port: 7264 }],
  ])('counts for no server with %s, although it has the same key', async (_, other) => {
    const { sessions, signingKeys, clock } = await sessionsAndClock()
    const cookie =
      (await sessions.signIn(sessions.newLink()))?.replace(/-7263=/, `-${other.port ?? 7263}=`) ?? ''
    const serve = (served: Served) => createSessions(signingKeys, served, { isSecure: false, clock })
    expect(await signedIn(serve({ ...SERVED, ...other }), cookie)).toBe(false)
    expect(await signedIn(serve({ ...SERVED, roles: ['dev', 'lead'] }), cookie)).toBe(!other.port)
  })

  it('stays when the same browser signs in to the server of another port', async () => {
    const { sessions, signingKeys, clock } = await sessionsAndClock()
    const other = createSessions(signingKeys, { ...SERVED, port: 7264 }, { isSecure: false, clock })
    const cookies = await Promise.all([sessions, other].map(async (each) => each.signIn(each.newLink())))
    const names = cookies.map((cookie) => cookie?.split('=')[0])
    expect(new Set(names).size).toBe(2)
  })

  it('is for HTTPS alone where browsers reach the server by it', async () => {
    const { sessions } = await sessionsAndClock({ isSecure: true })
    expect(await sessions.signIn(sessions.newLink())).toMatch(/; Secure$/)
  })
})
