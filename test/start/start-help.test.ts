import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))
const start = (...args: string[]) => spawnSync(process.execPath, [START, ...args], { encoding: 'utf8' })

it('npm start tells its options, without a build', () => {
  const { status, stdout } = start('--help')
  expect(status).toBe(0)
  expect(stdout).toContain('--sandbox "ssh user@host"')
  expect(stdout.split('\n').length).toBeLessThan(15)
})

it('npm start refuses an unknown option, and tells its options', () => {
  const { status, stdout, stderr } = start('--sandox', 'x')
  expect(status).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain("Unknown option '--sandox'")
  expect(stderr).toContain('--sandbox "ssh user@host"')
})
