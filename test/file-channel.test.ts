import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createFileHostChannel,
  createFileRunnerChannel,
  localFiles,
  type SandboxFiles,
} from '@sandagent/files'
import { onTestFinished } from 'vitest'
import { type ChannelEnds, describeChannel } from './channel-contract.ts'

const connect = (reach: (workdir: string) => SandboxFiles) => async (): Promise<ChannelEnds> => {
  const workdir = await mkdtemp(join(tmpdir(), 'sandagent-channel-'))
  onTestFinished(() => rm(workdir, { recursive: true, force: true }))
  return {
    runner: () => createFileRunnerChannel({ workdir }),
    host: () => createFileHostChannel({ files: reach(workdir) }),
  }
}

describeChannel('file channel', connect(localFiles))

describeChannel(
  'file channel to a sandbox that reports no changes',
  connect((workdir) => {
    const { id, read, writeAtomic, list } = localFiles(workdir)
    return { ...(id !== undefined && { id }), read, writeAtomic, list }
  }),
)
