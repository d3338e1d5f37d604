import { expect, it } from 'vitest'
import { callName, createToken, hashOf, sameToken, tokenOf, urlOf } from '../../src/lib/call-token.ts'

const requestOf = (url: string): Request => new Request(url)

it('a call has a name of 64 digits, which another conversation or id changes', () => {
  const name = callName('group', 'id')
  expect(name).toMatch(/^[0-9a-f]{64}$/)
  expect(callName('group', 'id')).toBe(name)
  const others = [callName('id', 'group'), callName('groupi', 'd'), callName('group', 'ID')]
  expect(new Set([name, ...others]).size).toBe(4)
})

it('a missing part is not the same as an empty one', () => {
  expect(hashOf(null, 'a')).not.toBe(hashOf('', 'a'))
})

it('a token has the name of its call and 256 random bits', () => {
  const name = callName('group', 'id')
  const [token, other] = [createToken(name), createToken(name)]
  expect(token).toMatch(new RegExp(`^${name}\\.[A-Za-z0-9_-]{43}$`))
  expect(other).not.toBe(token)
})

it('the URL of a call keeps its query, and its token is read back', () => {
  const name = callName('group', 'id')
  const token = createToken(name)
  const url = urlOf('https://tool.example/a?b=1&token=old', token)
  expect(url).toBe(`https://tool.example/a?b=1&token=${token}`)
  expect(tokenOf(requestOf(url))).toEqual({ token, name })
})

it.each([
  ['no token', ''],
  ['an empty token', '?token='],
  ['a name that is too short', `?token=${'a'.repeat(63)}.x`],
  ['a name that is too long', `?token=${'a'.repeat(65)}.x`],
  ['a name that is a path', `?token=../${'a'.repeat(64)}.x`],
  ['a name with other digits', `?token=${'A'.repeat(64)}.x`],
  ['no secret and no name', '?token=.'],
])('a request with %s names no call', (_, query) => {
  expect(tokenOf(requestOf(`https://tool.example/a${query}`))).toBeNull()
})

it('only the same token is the same, at any length', () => {
  expect(sameToken('token', 'token')).toBe(true)
  expect(sameToken('token', 'tokem')).toBe(false)
  expect(sameToken('token', 'token2')).toBe(false)
  expect(sameToken('', 'token')).toBe(false)
})
