import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory that goes with the test. */
export async function tempDir(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-files-')))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
