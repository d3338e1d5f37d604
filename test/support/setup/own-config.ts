import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Lets all tests, and what they start, keep their keys and their known workdirs in a folder that goes with them: not where a
 * person's are. At the end, it looks whether a test has given a program another environment.
 */
export default function ownConfig(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sandagent-config-'))
  process.env.XDG_CONFIG_HOME = folder
  process.env.XDG_STATE_HOME = join(folder, 'state')
  delete process.env.SANDAGENT_SIGNING_KEY
  delete process.env.SANDAGENT_KNOWN_WORKDIRS
  const before = new Set(workdirsOfPerson())
  return () => {
    // What a test has killed may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    const added = workdirsOfPerson().filter((workdir) => !before.has(workdir) && isOfTests(workdir))
    if (added.length > 0)
      throw new Error(
        `Tests have entered workdirs in the home folder. Pass on XDG_CONFIG_HOME: ${added.join(', ')}`,
      )
  }
}

/** People may start agents meanwhile, but not in folders with such names. */
const isOfTests = (workdir: string): boolean => workdir.includes(join(tmpdir(), 'sandagent-'))

function workdirsOfPerson(): string[] {
  const folder = join(homedir(), '.config/sandagent/workdirs')
  try {
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  } catch {
    return [] // There is none, or it cannot be read.
  }
}
