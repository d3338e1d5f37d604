import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunnerChannel } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { LocalSandbox } from '@sandagent/sdk'
import { onTestFinished } from 'vitest'

/** A folder with both ends of its questions. */
export interface Workspace {
  sandbox: LocalSandbox
  channel: RunnerChannel
}

/** A folder of its own, removed after the test. */
export async function createWorkspace(): Promise<Workspace> {
  const workdir = await mkdtemp(join(tmpdir(), 'sandagent-test-'))
  onTestFinished(() => rm(workdir, { recursive: true }))
  return { sandbox: new LocalSandbox({ workdir }), channel: createFileRunnerChannel({ workdir }) }
}
