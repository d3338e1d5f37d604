import { join } from 'node:path'
import { errorCode } from '../lib/error-code.ts'
import { diskCalls } from './disk-calls.ts'

/** Whether there is nothing at a path. A link is something, also if it leads nowhere. */
export async function isMissing(root: string, path: string): Promise<boolean> {
  try {
    await diskCalls(root).lstat(join(root, path))
    return false
  } catch (error) {
    return errorCode(error) === 'ENOENT'
  }
}
