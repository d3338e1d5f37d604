import { join } from 'node:path'
import { diskCalls } from './disk-calls.ts'

/** Whether there is nothing at a path. A link is something, also if it leads nowhere. */
export async function isMissing(root: string, path: string): Promise<boolean> {
  try {
    return (await diskCalls(root).lstat(join(root, path))) === undefined
  } catch {
    return false
  }
}
