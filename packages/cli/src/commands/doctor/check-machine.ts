import { readFile } from 'node:fs/promises'
import { LocalSandbox, loadSigningKeys } from '@sandagent/sdk'
import { badBecause, type Finding } from './finding.ts'

/** Fewer of these can run out when many agents wait. */
const FEW = { openFiles: 1024, watches: 8192, watchers: 128 }

/** Whether this machine can isolate agents, sign answers, and wait for many of them. */
export const checkMachine = (workdir: string): Promise<Finding[]> =>
  Promise.all([
    checkNode(),
    checkIsolation(workdir).catch(badBecause('Isolation')),
    checkKeys().catch(badBecause('Signing key', 'See docs/guides/signing.md.')),
    checkLimits().catch(badBecause('Limits')),
  ])

async function checkNode(): Promise<Finding> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < 20 || (major === 20 && minor < 19)
  const found = { about: 'Node', text: `${process.version} on ${process.platform}` }
  return isOld
    ? { ...found, state: 'bad', hint: 'Install Node 20.19 or newer.' }
    : { ...found, state: 'good' }
}

async function checkIsolation(workdir: string): Promise<Finding> {
  const { level, reason } = await new LocalSandbox({ workdir }).activeIsolation()
  if (level === 'strict') return { about: 'Isolation', state: 'good', text: reason }
  const hint = 'Without it, an agent may do what its user may do. See docs/guides/isolation.md.'
  return { about: 'Isolation', state: 'poor', text: reason, hint }
}

async function checkKeys(): Promise<Finding> {
  const text =
    (await loadSigningKeys()) === null
      ? 'There is none yet. The first run that a host starts makes one'
      : 'It is there, and only this user can read it'
  return { about: 'Signing key', state: 'good', text }
}

/** Linux says them. Other systems have no such limits, or do not tell. */
async function checkLimits(): Promise<Finding> {
  const limits = {
    openFiles: numberIn(/^Max open files\s+(\d+|unlimited)/m, await textOf('/proc/self/limits')),
    watches: numberIn(/(\d+)/, await textOf('/proc/sys/fs/inotify/max_user_watches')),
    watchers: numberIn(/(\d+)/, await textOf('/proc/sys/fs/inotify/max_user_instances')),
  }
  const known = Object.entries(limits).filter(([, limit]) => limit !== null) as [keyof typeof FEW, number][]
  if (known.length === 0) return { about: 'Limits', state: 'good', text: 'This system tells none' }
  const found = {
    about: 'Limits',
    text: known
      .map(([name, limit]) => `${WORDS[name]} ${limit === Infinity ? 'without limit' : limit}`)
      .join(', '),
  }
  const low = known.filter(([name, limit]) => limit < FEW[name]).map(([name]) => HINTS[name])
  return low.length === 0
    ? { ...found, state: 'good' }
    : { ...found, state: 'poor', hint: `Many agents may run out of them: ${low.join('; ')}` }
}

const WORDS = { openFiles: 'open files', watches: 'watched files', watchers: 'watchers' } as const
const HINTS = {
  openFiles: `ulimit -n ${FEW.openFiles}`,
  watches: `sysctl fs.inotify.max_user_watches=${FEW.watches}`,
  watchers: `sysctl fs.inotify.max_user_instances=${FEW.watchers}`,
} as const

/** A limit that cannot be read is not told: containers hide some, and agents work there all the same. */
const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

function numberIn(pattern: RegExp, text: string): number | null {
  const [, found] = pattern.exec(text) ?? []
  if (found === undefined) return null
  return found === 'unlimited' ? Number.POSITIVE_INFINITY : Number(found)
}
