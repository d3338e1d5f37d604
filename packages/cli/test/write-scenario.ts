import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a scenario of these steps into a directory, and gives its path. */
export async function writeScenario(directory: string, ...steps: unknown[]): Promise<string> {
  const path = join(directory, 'scenario.json')
  await writeFile(path, JSON.stringify({ steps }))
  return path
}
