import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `use` with an empty folder, and removes the folder. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-bench-'))
  try {
    return await use(folder)
  } finally {
    // Processes that end may still write into it.
    await rm(folder, { recursive: true, maxRetries: 10 })
  }
}
