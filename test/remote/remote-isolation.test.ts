import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { commandSandbox } from '@sandagent/remote'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pipedSandbox } from '../support/remote/piped-sandbox.ts'

const probe = new LocalSandbox({ workdir: join(tmpdir(), 'sandagent-probe'), onIsolation: () => {} })
const { level } = await probe.activeIsolation()

describe.runIf(level === 'strict')('with isolation at the far end', () => {
  it('a program writes in its folder, and neither outside nor where the host writes', async () => {
    const { sandbox, workdir } = await pipedSandbox({ isolation: 'strict' })
    expect(await sandbox.activeIsolation()).toMatchObject({ level: 'strict' })
    const script = `echo 1 > mine; echo 1 > ${workdir}/../outside; echo 1 > .sandagent/approvals/forged.json; ls`
    const child = await sandbox.spawn('sh', ['-c', script])
    child.stderr.resume()
    const [printed] = await Promise.all([child.stdout.toArray(), child.ended])
    expect(String(Buffer.concat(printed)).trim()).toBe('mine')
    expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])
  })

  it('the relay that came as one file needs the launcher of an installed command', async () => {
    const home = await tempDir()
    const without = commandSandbox(['env', `HOME=${home}`, 'PATH=/usr/bin:/bin:/usr/sbin'], {
      workdir: join(home, 'w'),
    })
    onTestFinished(() => without.close())
    expect(await without.activeIsolation()).toEqual({
      level: 'none',
      reason: expect.stringContaining('npm install -g sandagent'),
    })
    await expect(
      commandSandbox(['env', `HOME=${home}`], {
        workdir: join(home, 'w'),
        isolation: 'strict',
      }).activeIsolation(),
    ).rejects.toMatchObject({ code: 'ISOLATION_UNAVAILABLE' })
  })
})
