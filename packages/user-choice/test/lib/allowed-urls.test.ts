import { describe, expect, it } from 'vitest'
import { urlFilter } from '../../src/lib/allowed-urls.ts'

describe('the URLs that may be posted to', () => {
  it.each([
    ['https://agent.example.com/callback', 'https://agent.example.com/callback?token=1', true],
    ['https://agent.example.com/callback', 'https://agent.example.com:443/a/../callback', true],
    ['https://agent.example.com/callback', 'https://agent.example.com/admin/delete', false],
    ['https://agent.example.com/callback', 'https://agent.example.com/callback/more', false],
    ['https://agent.example.com/callback', 'http://agent.example.com/callback', false],
    ['https://agent.example.com/callback', 'https://agent.example.com:8443/callback', false],
    ['https://agent.example.com/callback', 'https://user@agent.example.com/callback', false],
    ['https://agent.example.com/callback', 'https://agent.example.com.evil.example/callback', false],
    ['http://127.0.0.1:*/callback', 'http://127.0.0.1:40123/callback?token=1', true],
    ['http://127.0.0.1:*/callback', 'http://127.0.0.1/callback', true],
    ['http://127.0.0.1:*/callback', 'http://127.0.0.1:40123/other', false],
    ['http://127.0.0.1:*/callback', 'http://127.0.0.2:40123/callback', false],
    ['http://127.0.0.1:*/callback', 'https://127.0.0.1:40123/callback', false],
    ['http://localhost:*/callback', 'http://localhost:40123/callback', true],
    ['http://[::1]:*/callback', 'http://[::1]:40123/callback', true],
  ])('by %s: whether %s is allowed is %s', async (allowed, url, isAllowed) => {
    expect(await urlFilter('callbackUrls', [allowed])(url)).toBe(isAllowed)
  })

  it.each([
    'https://agent.example.com',
    'https://agent.example.com?x',
    'https://agent.example.com/callback?x=1',
    'https://agent.example.com:*/callback',
    'http://127.0.0.1:*',
    'https://user@agent.example.com/callback',
    '/callback',
  ])('cannot be named by %j', (allowed) => {
    expect(() => urlFilter('callbackUrls', ['http://tools/callback', allowed])).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        faults: [expect.objectContaining({ path: 'callbackUrls.1' })],
      }),
    )
  })

  it('must be named: an option that is missing is no permission', () => {
    expect(() => urlFilter('callbackUrls', undefined as never)).toThrow(/callbackUrls/)
  })

  it('may be decided by a function, which is asked about web URLs only and waited for', async () => {
    const asked: string[] = []
    const isAllowed = urlFilter('callbackUrls', async (url) => {
      asked.push(url.href)
      return url.pathname === '/callback'
    })
    expect(await isAllowed('http://agent:1/callback?token=1')).toBe(true)
    expect(await isAllowed('http://agent:1/other')).toBe(false)
    expect(await isAllowed('file:///callback')).toBe(false)
    expect(await isAllowed('http://user:secret@agent/callback')).toBe(false)
    expect(asked).toEqual(['http://agent:1/callback?token=1', 'http://agent:1/other'])
  })
})
