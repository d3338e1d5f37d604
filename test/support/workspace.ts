import type { RunnerChannel } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createVerifiedChannel } from '@sandagent/runner'
import { createSigningKey, LocalSandbox, parseSigningKeys, type SigningKeys } from '@sandagent/sdk'

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

/** A folder whose host signs its answers. */
export interface SignedWorkspace {
  sandbox: LocalSandbox
  signingKeys: SigningKeys
  /** What a process of the runner asks through: it takes what the host signed, and nothing else. */
  runner(): RunnerChannel
}

/** A folder of its own, removed after the test. */
export async function createSignedWorkspace(): Promise<SignedWorkspace> {
  const { sandbox, channel } = await createWorkspace()
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const { publicKeys } = signingKeys
  return { sandbox, signingKeys, runner: () => createVerifiedChannel(channel, { publicKeys }) }
}

/** A sandbox in a folder of its own, removed after the test. */
export const tempSandbox = async (): Promise<LocalSandbox> => new LocalSandbox({ workdir: await tempDir() })
