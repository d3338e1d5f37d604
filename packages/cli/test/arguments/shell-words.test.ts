import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { shellWords } from '../../src/arguments/shell-words.ts'

/** The words as a real shell reads them, without anything that only a shell knows. */
const inShell = (text: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${text}; do printf '%s\\0' "$word"; done`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

describe('the words of a command line', () => {
  it.each([
    'ssh user@host',
    `  ssh   -i '/home/a b/key' user@host `,
    'docker exec -i "my box"',
    String.raw`a\ b c\"d "e \" f" 'g \ h'`,
    `one'two'"three"four`,
    `env A="" ''`,
    String.raw`"back\slash" "\\" "\$x"`,
  ])('are those that a shell reads: %s', (text) => {
    expect(shellWords('--sandbox', text)).toEqual(inShell(text))
  })

  it('leave to no shell what only a shell obeys', () => {
    expect(shellWords('--sandbox', 'echo $HOME *;|&&')).toEqual(['echo', '$HOME', '*;|&&'])
  })

  it.each(['', '   ', '""'])('need a program: %j', (text) => {
    expect(() => shellWords('--sandbox', text)).toThrow('--sandbox takes a command')
  })

  it.each([`a 'b`, 'a "b', 'a\\'])('need the end of a quote: %s', (text) => {
    expect(() => shellWords('--sandbox', text)).toThrow('without its end')
  })
})
