import { expect, it } from 'vitest'
import { innerScript } from '../../../src/sandbox/isolation/launcher/inner-script.ts'

const scriptWith = (env: Record<string, string>): string[] =>
  innerScript({ command: 'node', args: ["it's"], workdir: '/work', env, hidden: [] }).split('\n')

it('a program keeps the HOME that it is given, and never gets the one of the launcher', () => {
  const given = scriptWith({ HOME: '/home/agent' })
  expect(given).toContain("export HOME='/home/agent'")
  expect(given.filter((line) => line.startsWith('unset')).join()).not.toContain('HOME')
  expect(scriptWith({})).toContain('unset OLDPWD HOME')
})

it('a program gets its words as they are, and no variable that a shell cannot name', () => {
  const script = scriptWith({ A_1: "b'c", '1A': 'x', 'a-b': 'x' })
  expect(script.filter((line) => line.startsWith('export'))).toEqual(["export A_1='b'\\''c'"])
  expect(script).toContain("cd '/work' || exit")
  expect(script.at(-1)).toBe("exec 'node' 'it'\\''s'")
})
