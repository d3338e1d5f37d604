import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A private folder for temporary files on macOS, because Seatbelt can only open an existing folder. Linux makes an empty
 * `/tmp` inside, which disappears later.
 */
export function temporaryFolder(): { path: string | undefined; remove(): void } {
  if (process.platform !== 'darwin') return { path: undefined, remove() {} }
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'sandagent-')))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
