import { expect, it } from 'vitest'
import { killEverywhere } from '../support/servers/killed-hosts.ts'

it.runIf(process.platform === 'linux')(
  'a host that is killed while it starts a run leaves no program that nobody lists, and no work done twice',
  () => expect(killEverywhere('none', 6)).resolves.toBeUndefined(),
  300_000,
)
