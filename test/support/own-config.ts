import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Lets all tests, and what they start, keep their keys in a folder that goes with them: not where a person's are. */
export default function ownConfig(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sandagent-config-'))
  process.env.XDG_CONFIG_HOME = folder
  delete process.env.SANDAGENT_SIGNING_KEY
  return () => rmSync(folder, { recursive: true, force: true })
}
