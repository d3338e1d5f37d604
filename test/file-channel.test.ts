import {
  createFileHostChannel,
  createFileRunnerChannel,
  createLocalFiles,
  type SandboxFiles,
} from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type ChannelEnds, describeChannel } from './channel-contract.ts'

const connect = (reach: (workdir: string) => SandboxFiles) => async (): Promise<ChannelEnds> => {
  const workdir = await tempDir()
  return {
    runner: () => createFileRunnerChannel({ workdir }),
    host: () => createFileHostChannel({ files: reach(workdir) }),
  }
}

describeChannel('file channel', connect(createLocalFiles))

describeChannel(
  'file channel to a sandbox that reports no changes',
  connect((workdir) => {
    const { id, read, writeAtomic, list } = createLocalFiles(workdir)
    return { ...(id !== undefined && { id }), read, writeAtomic, list }
  }),
)
