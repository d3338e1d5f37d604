import { readFile } from 'node:fs/promises'
import { LocalSandbox, loadSigningKeys } from '@sandagent/sdk'
import { check, type Finding, good, poor } from './finding.ts'

/** Limits of Linux. With fewer than `few`, many agents that wait can run out of them. */
const LIMITS = [
  {
    what: 'open files',
    file: '/proc/self/limits',
    pattern: /^Max open files\s+(\d+|unlimited)/m,
    few: 1024,
    raise: 'ulimit -n ',
  },
  {
    what: 'watched files',
    file: '/proc/sys/fs/inotify/max_user_watches',
    pattern: /(\d+)/,
    few: 8192,
    raise: 'sysctl fs.inotify.max_user_watches=',
  },
  {
    what: 'watchers',
    file: '/proc/sys/fs/inotify/max_user_instances',
    pattern: /(\d+)/,
    few: 128,
    raise: 'sysctl fs.inotify.max_user_instances=',
  },
]

/** Whether this machine can isolate agents, sign answers, and wait for many of them. */
export const checkMachine = async (workdir: string): Promise<Finding[]> =>
  (
    await Promise.all([
      check('Node', checkNode),
      check('Isolation', () => checkIsolation(workdir)),
      check('Signing key', checkKeys, '`npx sandagent key` makes one. See docs/guides/security.md#signing.'),
      check('Limits', checkLimits),
    ])
  ).flat()

/** The command itself refuses an older one. */
const checkNode = async () => good(`${process.version} on ${process.platform}`)

async function checkIsolation(workdir: string) {
  const { level, reason } = await new LocalSandbox({ workdir }).activeIsolation()
  return level === 'strict'
    ? good(reason)
    : poor(reason, 'Without it, an agent may do what its user may do. See docs/guides/isolation.md.')
}

const checkKeys = async () =>
  good(
    (await loadSigningKeys()) === null
      ? 'There is none yet. The first run that a host starts makes one'
      : 'It is there, and only this user can read it',
  )

async function checkLimits() {
  const read = LIMITS.map(async ({ what, file, pattern, few, raise }) => {
    // A limit that cannot be read is not told: containers hide some, and agents work there all the same.
    const [, limit] = pattern.exec(await readFile(file, 'utf8').catch(() => '')) ?? []
    if (limit === undefined) return []
    if (limit === 'unlimited') return [{ text: `${what} without limit`, raise: [] }]
    return [{ text: `${what} ${limit}`, raise: Number(limit) < few ? [`${raise}${few}`] : [] }]
  })
  const known = (await Promise.all(read)).flat()
  // Other systems have no such limits, or do not tell.
  if (known.length === 0) return good('This system tells none')
  const text = known.map((limit) => limit.text).join(', ')
  const low = known.flatMap(({ raise }) => raise)
  return low.length === 0 ? good(text) : poor(text, `Many agents may run out of them: ${low.join('; ')}`)
}
