import { AskError } from '@sandagent/core'
import { createFakeClock, openRecord } from '@sandagent/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type AccessOptions, createAccess, notePeer } from '../../src/http/access.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

const LINKS = { page: 'https://app.example/answer' }
const state = { toolCallId: 'a', record: openRecord('a') }
const request = new Request('http://localhost/api/answer')

const accessWith = (options: AccessOptions) => createAccess(options, createFakeClock())

/** The code of the error with which a caller is turned away at the door. */
function codeAtDoor(options: AccessOptions, headers: Record<string, string> = {}, peer?: string) {
  const caller = notePeer(new Request('http://localhost/api/answer', { headers }), peer)
  try {
    accessWith(options).refuseStrangers(caller)
    return null
  } catch (error) {
    if (error instanceof AskError) return error.code
    throw error
  }
}

describe('who may answer', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it.each<[string, AccessOptions, boolean]>([
    ['nothing', {}, false],
    ['authorize', { authorize: () => true }, true],
    ['links', { links: LINKS }, true],
  ])('is said in production by %s: %j is enough: %s', (_, options, isEnough) => {
    vi.stubEnv('NODE_ENV', 'production')
    const make = expect(() => accessWith(options))
    if (isEnough) make.not.toThrow()
    else make.toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
  })

  it('is said by authorize or links wherever there is a policy', () => {
    const policy = [{ votes: 2 }]
    expect(() => accessWith({ policy })).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
    expect(() => accessWith({ policy, authorize: () => true })).not.toThrow()
    expect(() => accessWith({ policy, links: LINKS })).not.toThrow()
  })

  it('is everybody without authorize, and nobody where links alone let callers in', async () => {
    expect(await accessWith({}).admitAmong(request, state)).toEqual({})
    expect(await accessWith({ links: LINKS }).admitAmong(request, state)).toBeNull()
  })

  it('is decided by authorize, which gets the question alone', async () => {
    const authorize = vi.fn(() => ({ answeredBy: 'ada', roles: ['lead'] }))
    const { admit } = accessWith({ authorize })
    expect(await admit(request, { ...state, runEnded: true })).toEqual({ answeredBy: 'ada', roles: ['lead'] })
    expect(authorize.mock.calls).toEqual([[request, state]])
    expect(await accessWith({ authorize: () => true }).admit(request, state)).toEqual({})
  })
})

describe('the caller of a question', () => {
  it('is refused once the question is not theirs, as authorize says', async () => {
    const denied = accessWith({ authorize: () => false })
    expect(await refusalOf(denied.admit(request, state))).toMatchObject({ code: 'FORBIDDEN' })
    const authorize = () => {
      throw new AskError('UNAUTHENTICATED', 'Sign in first')
    }
    const refusal = refusalOf(accessWith({ authorize }).admit(request, state))
    expect(await refusal).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(await accessWith({ authorize: () => true }).admit(request, state)).toEqual({})
  })

  it('is unknown when authorize fails', async () => {
    const failure = new Error('no database')
    const authorize = () => Promise.reject(failure)
    await expect(accessWith({ authorize }).admit(request, state)).rejects.toBe(failure)
  })

  it('needs a link or the right to answer', async () => {
    const { admit } = accessWith({ links: LINKS })
    expect(await refusalOf(admit(request, state))).toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('the door', () => {
  it('is open to this machine alone where nobody says who may answer', () => {
    expect(codeAtDoor({}, {}, '127.0.0.1')).toBeNull()
    expect(codeAtDoor({}, {}, '192.0.2.1')).toBe('FORBIDDEN')
    expect(codeAtDoor({})).toBe('FORBIDDEN')
    expect(codeAtDoor({ peerAddress: () => '::1' })).toBeNull()
    for (const options of [{ authorize: () => true }, { links: LINKS }])
      expect(codeAtDoor(options, {}, '192.0.2.1')).toBeNull()
  })

  it('is for the names of this machine there, or for the names that the host gives', () => {
    const other = { host: 'box.lan' }
    expect(codeAtDoor({}, other, '127.0.0.1')).toBe('WRONG_HOST')
    expect(codeAtDoor({ allowedHosts: ['box.lan'] }, other, '127.0.0.1')).toBeNull()
    for (const options of [{ authorize: () => true }, { links: LINKS }]) {
      expect(codeAtDoor(options, other)).toBeNull()
      expect(codeAtDoor({ ...options, allowedHosts: ['localhost'] }, other)).toBe('WRONG_HOST')
    }
  })

  it('is closed to other web sites that are not named', () => {
    const other = { origin: 'https://app.example' }
    const authorize = () => true
    expect(codeAtDoor({ authorize }, other)).toBe('CROSS_SITE')
    expect(codeAtDoor({ authorize, allowedOrigins: ['https://app.example'] }, other)).toBeNull()
  })

  it('takes the host of a request without that header from its address', () => {
    expect(codeAtDoor({ authorize: () => true, allowedHosts: ['localhost'] })).toBeNull()
    expect(codeAtDoor({ authorize: () => true, allowedHosts: ['box.lan'] })).toBe('WRONG_HOST')
  })
})
