import { describe, expect, it } from 'vitest'
import { postableUrl } from '../../src/lib/postable-url.ts'

describe('postableUrl', () => {
  it('is the URL of a web address', () => {
    expect(postableUrl('https://agent.example.com:8443/callback?token=1')?.origin).toBe(
      'https://agent.example.com:8443',
    )
    expect(postableUrl('HTTP://127.0.0.1:80/')?.origin).toBe('http://127.0.0.1')
  })

  it.each([
    '',
    '/callback',
    'http://:99999',
    'file:///etc/passwd',
    'http://ada@tools/',
    'http://:secret@tools/',
  ])('is null for %j', (url) => {
    expect(postableUrl(url)).toBeNull()
  })

  it('stays null for what URL refuses, however often it is asked', () => {
    // As UTF-8 these Latin-1 characters are a harmless letter: `URL.canParse` of Node 20 begins to take them for that.
    const url = 'http://toolsÃ¨/callback'
    const answers = new Set<URL | null>()
    for (let asked = 0; asked < 50_000; asked++) answers.add(postableUrl(url))
    expect([...answers]).toEqual([null])
  })
})
