import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failedWith } from '@sandagent/core/internal'
import type { DiskCalls } from './disk-calls.ts'
import { syncDirectory, temporaryPath, writeNew } from './write-synced.ts'

/** The file in a claim that is a folder. */
export const CLAIM_CONTENT = 'claim.json'

/** The error codes of a rename to a place that is taken. */
const TAKEN = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR']

/**
 * Creates a claim as a folder with the text in it. A rename never replaces a folder that has content. So one of several
 * writers succeeds, and a crash never leaves an incomplete claim.
 *
 * @throws the system's `EEXIST` when the claim exists.
 */
export async function createFolderClaim(calls: DiskCalls, path: string, text: string): Promise<void> {
  const temporary = temporaryPath(dirname(path))
  try {
    await calls.makeFolder(temporary)
    await writeNew(calls, join(temporary, CLAIM_CONTENT), text)
    await syncDirectory(calls, temporary)
    await calls.rename(temporary, path)
  } catch (error) {
    if (failedWith(error, TAKEN))
      throw Object.assign(new Error('The claim exists'), { code: 'EEXIST', cause: error })
    throw error
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
