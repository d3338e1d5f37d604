import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { AskError } from '@sandagent/core'
import type { AgentUser } from '../agent-user/agent-user.ts'
import { giveWorkdir } from '../agent-user/give-workdir.ts'
import { complaintIn } from '../programs/complaint.ts'
import { spawnProgram } from '../programs/spawn-program.ts'
import { findProgram } from './find-program.ts'
import { isolatedLaunch } from './isolated-launch.ts'
import { checkRuntime, launcherFile } from './launcher-file.ts'
import { nodeProgram } from './node-program.ts'
import { pathOutside } from './path-outside.ts'

/** The programs that the sandbox runtime calls, and Debian's names for their packages. */
const NEEDED: Partial<Record<NodeJS.Platform, Readonly<Record<string, string>>>> = {
  linux: { bwrap: 'bubblewrap', socat: 'socat', rg: 'ripgrep' },
  darwin: { rg: 'ripgrep' },
}

/** How long starting a program may take, in milliseconds. */
const PROBE_TIMEOUT_MS = 30_000

const probed = new Map<number | undefined, Promise<string | null>>()

/**
 * Why programs of a user cannot be isolated on this machine, and what to do about it; `null` if they can be.
 *
 * @throws AskError `ISOLATION_UNAVAILABLE` when the machine can, and the package that it takes is not installed
 */
export function probeIsolation(user?: AgentUser): Promise<string | null> {
  const known = probed.get(user?.uid) ?? findObstacle(user)
  probed.set(user?.uid, known)
  return known
}

async function findObstacle(user: AgentUser | undefined): Promise<string | null> {
  const needed = NEEDED[process.platform]
  if (!needed) return `there is no sandbox for ${process.platform}`
  const missing: string[] = []
  for (const [command, name] of Object.entries(needed))
    if (!(await findProgram(command, { path: pathOutside(), folder: '/' }))) missing.push(name)
  return missing.length > 0 ? `${missing.join(', ')} missing (${howToInstall(missing)})` : tryOut(user)
}

const howToInstall = (names: readonly string[]): string =>
  process.platform === 'darwin'
    ? `brew install ${names.join(' ')}`
    : `apt-get install ${names.join(' ')}, or dnf, or pacman -S`

async function tryOut(user: AgentUser | undefined): Promise<string | null> {
  let launcher: string
  try {
    nodeProgram()
    launcher = await launcherFile()
  } catch (error) {
    if (error instanceof AskError) return error.message
    throw error
  }
  // This is no fault of the machine. So nothing runs without isolation because of it, also where it is not asked for.
  checkRuntime(launcher)
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-probe-')))
  try {
    if (user) giveWorkdir(folder, user, {})
    const access = { workdir: folder, readable: [], hidden: [], hosts: [] }
    const launch = { ...(await isolatedLaunch('true', [], { access })), user }
    const child = await spawnProgram(launch, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    child.stdin.end()
    child.stdout.resume()
    const [said, { exitCode, signal, error }] = await Promise.all([text(child.stderr), child.ended])
    if (exitCode === 0) return null
    const complaint =
      complaintIn(said) ?? error?.message ?? `the launcher ended by ${signal ?? `exit code ${exitCode}`}`
    return `${complaint} (it needs user namespaces: containers and Ubuntu switch them off, see docs/guides/isolation.md)`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
