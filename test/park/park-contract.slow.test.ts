import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type ParkedSandbox, parkSandbox } from '@sandagent/remote'
import { LocalSandbox } from '@sandagent/sdk'
import { sandboxContract } from '@sandagent/testing'
import { describe, it } from 'vitest'

describe('a parked sandbox that is awake', () => {
  const nothing = async (): Promise<void> => {}
  const open = async (workdir: string): Promise<ParkedSandbox> =>
    parkSandbox(new LocalSandbox({ workdir, isolation: 'none' }), {
      folder: join(await tempDir(), 'parked'),
      afterMs: 60_000,
      sleep: nothing,
      wake: nothing,
      onError: () => {},
    })
  const cases = sandboxContract(
    async () => open(await realpath(await mkdtemp(join(tmpdir(), 'sandagent-test-')))),
    {
      async remove(sandbox) {
        await sandbox.close()
        await rm(sandbox.workdir, { recursive: true, force: true, maxRetries: 5 })
      },
      another: ({ workdir }) => open(workdir),
      loseWorkdir: ({ workdir }) => rm(workdir, { recursive: true, force: true }),
    },
  )
  for (const { name, run } of cases) it(name, run)
})
