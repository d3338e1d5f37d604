import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import type { DiskCalls } from '../lib/disk-calls.ts'
import type { Give } from './access.ts'
import { syncFile } from './sync.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/** A new hidden name for a temporary file. */
export const temporaryName = (): string => `.${randomUUID()}.tmp`

/** The names that {@link temporaryName} makes. */
export const TEMPORARY: RegExp = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/

/** Creates a file, and returns when the text is on the disk. */
export async function writeNew(
  calls: DiskCalls,
  path: string,
  text: string,
  { mode = 0o600, give }: { mode?: number; give: Give | undefined },
): Promise<void> {
  const file = await calls.open(path, CREATE, mode)
  try {
    give?.(file, mode)
    await calls.write(file, text)
    await syncFile(calls, file)
  } finally {
    await calls.close(file)
  }
}
