import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that goes with the test, by its path without links. Every package's tests use it, so it imports none of them. */
export async function tempDir(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
