import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { makeFolder } from '@sandagent/files/internal'

/** Makes a folder if it is missing, and resolves links. `LocalSandbox` does the same, but takes longer to load. */
export function folderAt(workdir: string): string {
  makeFolder(resolve(workdir))
  return realpathSync(workdir)
}
