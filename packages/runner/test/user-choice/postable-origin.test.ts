import { describe, expect, it } from 'vitest'
import { postableOrigin } from '../../src/user-choice/postable-origin.ts'

describe('postableOrigin', () => {
  it('is the origin of a web URL', () => {
    expect(postableOrigin('https://agent.example.com:8443/callback?token=1')).toBe(
      'https://agent.example.com:8443',
    )
    expect(postableOrigin('HTTP://127.0.0.1:80/')).toBe('http://127.0.0.1')
  })

  it.each([
    '',
    '/callback',
    'http://:99999',
    'file:///etc/passwd',
    'http://ada@tools/',
    'http://:secret@tools/',
  ])('is null for %j', (url) => {
    expect(postableOrigin(url)).toBeNull()
  })

  it('stays null for what URL refuses, however often it is asked', () => {
    // As UTF-8 these Latin-1 characters are a harmless letter: `URL.canParse` of Node 20 begins to take them for that.
    const url = 'http://toolsÃ¨/callback'
    const answers = new Set<string | null>()
    for (let asked = 0; asked < 50_000; asked++) answers.add(postableOrigin(url))
    expect([...answers]).toEqual([null])
  })
})
