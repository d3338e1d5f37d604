import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DraftKeeper } from '@sandagent/core/internal'
import { settings } from './settings/settings.ts'

/** Keeps entries as the storage of a browser does: they are there again after a reload. */
export function keptEntries(toolCallId: string): DraftKeeper {
  mkdirSync(settings.profile, { recursive: true })
  const path = join(settings.profile, toolCallId)
  return {
    read() {
      try {
        return JSON.parse(readFileSync(path, 'utf8'))
      } catch {
        return null
      }
    },
    write(kept) {
      if (kept === null) return rmSync(path, { force: true })
      writeFileSync(`${path}.new`, JSON.stringify(kept))
      renameSync(`${path}.new`, path)
    },
  }
}
