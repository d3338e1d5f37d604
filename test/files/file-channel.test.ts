import { chmod, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  answerFilePath,
  createFileHostChannel,
  createFileRunnerChannel,
  createLocalFiles,
  questionRecordPath,
  type SandboxFiles,
} from '@sandagent/files'
import { type ChannelEnds, channelContract } from '@sandagent/testing'
import { describe, it } from 'vitest'

interface FileChannel extends ChannelEnds {
  workdir: string
}

const makeChannel =
  (reach: (workdir: string) => SandboxFiles = createLocalFiles) =>
  async (): Promise<FileChannel> => {
    const workdir = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-test-')))
    return {
      workdir,
      runner: () => createFileRunnerChannel({ workdir }),
      host: () => createFileHostChannel({ files: reach(workdir) }),
    }
  }

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.other`, text)
  await rename(`${path}.other`, path)
}

const abilities = {
  remove: ({ workdir }: FileChannel) => rm(workdir, { recursive: true, force: true, maxRetries: 5 }),
  putAnswer: ({ workdir }: FileChannel, id: string, text: string) =>
    put(join(workdir, answerFilePath(id)), text),
  putRecord: ({ workdir }: FileChannel, id: string, text: string) =>
    put(join(workdir, questionRecordPath(id)), text),
}

describe('the file channel', () => {
  const cases = channelContract(makeChannel(), {
    ...abilities,
    hostProcess: ({ workdir }) => ({
      module: join(import.meta.dirname, '../support/programs/create-host.mjs'),
      args: [workdir],
    }),
    // Root may read everything, so it becomes another user for the moment.
    async hideAnswer({ workdir }) {
      const folder = join(workdir, dirname(answerFilePath('')))
      await chmod(folder, 0)
      const { geteuid, seteuid } = process
      const isRoot = geteuid?.() === 0
      if (isRoot) seteuid?.('nobody')
      return () => {
        if (isRoot) seteuid?.(0)
        return chmod(folder, 0o700)
      }
    },
  })
  for (const { name, run } of cases) it(name, run)
})

describe('the file channel to a sandbox that reports no changes', () => {
  const silent = (workdir: string): SandboxFiles => {
    const { id, read, writeAtomic, list } = createLocalFiles(workdir)
    return { id, read, writeAtomic, list }
  }
  for (const { name, run } of channelContract(makeChannel(silent), abilities)) it(name, run)
})
