import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import type { RemoteSandbox } from '@sandagent/sdk/remote'
import { sandboxContract } from '@sandagent/sdk/testing'
import { describe, it } from 'vitest'
import { describeChannel } from '../channel-contract.ts'
import { type PipedSandbox, pipedSandbox } from '../support/remote/piped-sandbox.ts'

describe('a sandbox behind a pipe', () => {
  const open = new Map<RemoteSandbox, PipedSandbox>()
  const made = async (workdir: string): Promise<RemoteSandbox> => {
    const piped = await pipedSandbox({ workdir, name: workdir })
    open.set(piped.sandbox, piped)
    return piped.sandbox
  }
  const remove = ({ workdir }: RemoteSandbox): Promise<void> => rm(workdir, { recursive: true, force: true })
  const cases = sandboxContract(
    async () => made(await realpath(await mkdtemp(join(tmpdir(), 'sandagent-test-')))),
    {
      async remove(sandbox) {
        sandbox.close()
        await remove(sandbox)
      },
      another: ({ workdir }) => made(workdir),
      loseWorkdir: remove,
      cutAfter(sandbox, messages) {
        const { wire } = open.get(sandbox) as PipedSandbox
        let left = messages
        let isCut = left === 0
        if (isCut) wire.cut()
        wire.onFrame = () => {
          if (isCut || left-- > 0) return false
          isCut = true
          return true
        }
        return () => isCut
      },
    },
  )
  for (const { name, run } of cases) it(name, run)
})

describeChannel('a channel behind a pipe', async () => {
  const workdir = join(await tempDir(), 'workdir')
  const place = () => ({ runner: createFileRunnerChannel({ workdir }) })
  const { sandbox } = await pipedSandbox({ workdir })
  return {
    runner: () => place().runner,
    host: () =>
      sandbox.ownChannel.create({
        publicKeys: async () => null,
        authenticate: async (answerFile) => answerFile,
        onWarning: () => {},
        clock: systemClock,
      }),
  }
})
