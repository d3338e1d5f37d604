import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { hostConfigFolder } from '../../src/lib/host-config-folder.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('hosts keep their files where the user wants them', () => {
  vi.stubEnv('XDG_CONFIG_HOME', '/somewhere/config')
  expect(hostConfigFolder()).toBe('/somewhere/config/sandagent')
})

it.each([undefined, '', 'relative/config'])(
  'hosts keep them in the home where the variable is %j',
  (given) => {
    vi.stubEnv('XDG_CONFIG_HOME', given)
    expect(hostConfigFolder()).toBe(join(homedir(), '.config/sandagent'))
  },
)
