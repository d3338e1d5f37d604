import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { killEverywhere } from '../support/servers/killed-hosts.ts'

/** Whether this machine can isolate programs at all. */
const canIsolate = async (): Promise<boolean> =>
  (await new LocalSandbox({ workdir: await tempDir() }).activeIsolation()).level === 'strict'

describe.runIf(process.platform === 'linux')('a host that is killed while it starts a run', () => {
  it('leaves no program that nobody lists, and no work done twice, at each file operation', async () => {
    await expect(killEverywhere('none', 1)).resolves.toBeUndefined()
  }, 900_000)

  it('leaves none of them where programs are isolated either', async ({ skip }) => {
    if (!(await canIsolate())) skip()
    await expect(killEverywhere('strict', 5)).resolves.toBeUndefined()
  }, 900_000)
})
