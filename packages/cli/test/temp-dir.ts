import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory that goes with the test. */
export async function tempDir(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-cli-')))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Writes a scenario of these steps into a directory, and gives its path. */
export async function writeScenario(directory: string, ...steps: unknown[]): Promise<string> {
  const path = join(directory, 'scenario.json')
  await writeFile(path, JSON.stringify({ steps }))
  return path
}
