import { AskError } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { checkOrigin, LOOPBACK_HOSTS, type OriginCheck } from '../../src/http/origin-check.ts'

/** The code with which a request with these headers is refused. */
function codeOf(headers: Record<string, string>, options: OriginCheck = {}) {
  try {
    checkOrigin({ get: (name) => headers[name] }, options)
    return null
  } catch (error) {
    if (error instanceof AskError) return error.code
    throw error
  }
}

describe('the host of a request', () => {
  it('is any, unless hosts are named', () => {
    expect(codeOf({ host: 'box.lan' })).toBeNull()
    expect(codeOf({})).toBeNull()
    expect(codeOf({}, { allowedHosts: ['box.lan'] })).toBe('WRONG_HOST')
    expect(codeOf({ host: 'box.lan' }, { allowedHosts: [] })).toBe('WRONG_HOST')
  })

  it.each([
    ['localhost', null],
    ['localhost:3000', null],
    ['127.0.0.1:80', null],
    ['[::1]:3000', null],
    ['127.0.0.2', 'WRONG_HOST'],
    ['evil.example', 'WRONG_HOST'],
    ['a b', 'WRONG_HOST'],
    ['', 'WRONG_HOST'],
  ])('%j gives %s where this machine alone is served', (host, code) => {
    expect(codeOf({ host }, { allowedHosts: LOOPBACK_HOSTS })).toBe(code)
  })
})

describe('a request of a page', () => {
  const host = 'app.example:8080'

  it.each<[string, Record<string, string>, string | null]>([
    ['of the own site', { 'sec-fetch-site': 'same-origin', origin: 'https://proxy.example' }, null],
    ['that a person opened', { 'sec-fetch-site': 'none' }, null],
    ['of a sibling', { 'sec-fetch-site': 'same-site', origin: `http://${host}` }, 'CROSS_SITE'],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, 'CROSS_SITE'],
    ['with the same origin', { origin: `http://${host}` }, null],
    ['with the same origin over TLS', { origin: `https://${host}` }, null],
    ['with another port', { origin: 'http://app.example' }, 'CROSS_SITE'],
    ['with another name', { origin: 'http://other.example:8080' }, 'CROSS_SITE'],
    ['with another kind of address', { origin: `ftp://${host}` }, 'CROSS_SITE'],
    ['with a kind that only begins like http', { origin: `httpsx://${host}` }, 'CROSS_SITE'],
    ['with a kind that only ends like http', { origin: `xhttp://${host}` }, 'CROSS_SITE'],
    ['without an address', { origin: 'null' }, 'CROSS_SITE'],
  ])('%s is told apart', (_, headers, code) => {
    expect(codeOf({ host, ...headers })).toBe(code)
  })

  it('may leave out the port that its scheme has by default', () => {
    expect(codeOf({ host: 'app.example', origin: 'https://app.example' })).toBeNull()
    expect(codeOf({ host: 'app.example:443', origin: 'https://app.example' })).toBeNull()
    expect(codeOf({ host: 'app.example:80', origin: 'https://app.example' })).toBe('CROSS_SITE')
  })

  it('may be one of another origin that is named, exactly', () => {
    const allowedOrigins = ['https://app.example']
    const cross = { host: 'api.example', 'sec-fetch-site': 'cross-site' }
    expect(codeOf({ ...cross, origin: 'https://app.example' }, { allowedOrigins })).toBeNull()
    expect(codeOf({ ...cross, origin: 'http://app.example' }, { allowedOrigins })).toBe('CROSS_SITE')
    expect(codeOf(cross, { allowedOrigins })).toBe('CROSS_SITE')
  })
})
