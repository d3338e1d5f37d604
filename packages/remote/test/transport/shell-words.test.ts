import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellLine } from '../../src/transport/shell-words.ts'

const WORDS = [
  'plain-1.2',
  'a b',
  "it's",
  '$HOME',
  '*',
  '',
  '"',
  '\\',
  '`id`',
  'a\nb',
  '~',
  '--x=/a:b,c@d%e+f',
]

it('a shell passes each word on as it is', () => {
  const print = ['node', '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...WORDS]
  const printed = execFileSync('sh', ['-c', shellLine(print)], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual(WORDS)
})

it('plain words stay readable', () => {
  expect(shellLine(['node', '-e', '1', 'a b'])).toBe("node -e 1 'a b'")
})
