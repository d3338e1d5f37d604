import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type AnswerFile, systemClock } from '@sandagent/core/internal'
import { answerFilePath, createFileRunnerChannel, questionRecordPath } from '@sandagent/files'
import type { RemoteSandbox } from '@sandagent/sdk/remote'
import { type ChannelEnds, channelContract, sandboxContract } from '@sandagent/sdk/testing'
import { describe, it } from 'vitest'
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

interface RemoteChannel extends ChannelEnds {
  sandbox: RemoteSandbox
}

/** Puts a text into a file as another program would. */
async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.other`, text)
  await rename(`${path}.other`, path)
}

describe('a channel behind a pipe', () => {
  const makeChannel = async (): Promise<RemoteChannel> => {
    const workdir = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-test-')))
    const { sandbox } = await pipedSandbox({ workdir })
    const options = {
      publicKeys: async () => null,
      authenticate: async (answerFile: AnswerFile) => answerFile,
      onWarning: () => {},
      clock: systemClock,
    }
    return {
      sandbox,
      runner: () => createFileRunnerChannel({ workdir }),
      host: () => sandbox.ownChannel.create(options),
    }
  }
  const cases = channelContract(makeChannel, {
    async remove({ sandbox }) {
      sandbox.close()
      await rm(sandbox.workdir, { recursive: true, force: true, maxRetries: 5 })
    },
    putAnswer: ({ sandbox: { workdir } }, id, text) => put(join(workdir, answerFilePath(id)), text),
    putRecord: ({ sandbox: { workdir } }, id, text) => put(join(workdir, questionRecordPath(id)), text),
  })
  for (const { name, run } of cases) it(name, run)
})
