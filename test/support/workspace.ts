import type { RunnerChannel } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'

/** A folder with both ends of its questions. */
export interface Workspace {
  sandbox: LocalSandbox
  channel: RunnerChannel
}

/** A folder of its own, removed after the test. */
export async function createWorkspace(): Promise<Workspace> {
  const sandbox = await tempSandbox()
  return { sandbox, channel: createFileRunnerChannel({ workdir: sandbox.workdir }) }
}

/** A sandbox in a folder of its own, removed after the test. */
export const tempSandbox = async (): Promise<LocalSandbox> => new LocalSandbox({ workdir: await tempDir() })
