// Why it is so: docs/decisions/0027-a-question-names-its-process.md

import { execFile } from 'node:child_process'
import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'
import { hostname } from 'node:os'
import { failedWith } from '@sandagent/core/internal'

/**
 * A process's handle, `PID START SYSTEM`. Process ids are used again, so `START` is when it began, counted from the boot and
 * not by the wall clock. `SYSTEM` is `HOST/BOOT/NAMESPACE`: the machine, its boot, and the container of the process id.
 */
export const processHandle = async (pid: number): Promise<string> =>
  [pid, (await startOf(pid)) ?? 'ended', systemText(thisSystem())].join(' ')

let own: string | undefined

/** The handle of this process; `undefined` when the system does not tell it. */
export async function ownProcessHandle(): Promise<string | undefined> {
  try {
    own ??= await processHandle(process.pid)
  } catch {
    // The next call tries again.
  }
  return own
}

/**
 * `running`: the process is `pid`. `ended`: no process has its id. `replaced`: another has its id by now. `unknown`: its
 * id is of another machine or container. Send no signals to the last two.
 */
export type ProcessState = { state: 'running' | 'ended'; pid: number } | { state: 'replaced' | 'unknown' }

/** Finds a process. Invalid texts, process 1 and, by a sign, groups are never found. */
export async function findProcess(handle: string): Promise<ProcessState> {
  const [, number, start, text] = /^(\d{1,10}) (\S+) (\S+)$/.exec(handle) ?? []
  const pid = Number(number)
  if (!(pid > 1) || text === undefined) return { state: 'unknown' }
  const here = thisSystem()
  if (text !== systemText(here)) {
    const [host, boot] = text.split('/')
    return { state: host === here.host && boot !== here.boot ? 'replaced' : 'unknown' }
  }
  const found = await startOf(pid)
  if (found === null) return { state: 'ended', pid }
  return found === start ? { state: 'running', pid } : { state: 'replaced' }
}

/** Whether a process has ended for sure. That is unknown on other machines and in other containers. */
export async function hasProcessEnded(handle: string): Promise<boolean> {
  const { state } = await findProcess(handle)
  return state === 'ended' || state === 'replaced'
}

const isLinux = process.platform === 'linux'

/** When a process began, as the system counts; `null` when it has ended, even before its exit code was collected. */
const startOf = (pid: number): Promise<string | null> => (isLinux ? startOnLinux(pid) : startByPs(pid))

/** In clock ticks since boot: fields 3 (state) and 22 (start time) of proc_pid_stat(5). */
async function startOnLinux(pid: number): Promise<string | null> {
  let stat: string
  try {
    stat = readOfLinux(`/proc/${pid}/stat`)
  } catch (error) {
    if (failedWith(error, ['ENOENT', 'ESRCH'])) return null
    throw error
  }
  // Field 2 is a name in brackets that may contain brackets and spaces.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? null : (fields[18] ?? null)
}

const LONGEST = 2048

/**
 * A short text that Linux makes. `readFileSync` would ask whether there is more, and would end the process if it cannot close
 * it.
 */
function readOfLinux(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.allocUnsafe(LONGEST)
    return bytes.toString('utf8', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

async function startByPs(pid: number): Promise<string | null> {
  const printed = await new Promise<string>((resolve) => {
    execFile('ps', ['-o', 'stat=,lstart=', '-p', `${pid}`], (_, stdout) => resolve(stdout))
  })
  const [state, ...start] = printed.split(/\s+/).filter(Boolean)
  return state === undefined || state.startsWith('Z') ? null : start.join('_')
}

/** Where and since when process numbers count. */
interface System {
  host: string
  boot: string
  namespace: string
}

let here: System | undefined

/** Neither the boot nor the container of this process changes. @throws the system's error. */
function thisSystem(): System {
  here ??= {
    host: encodeURIComponent(hostname()),
    // On other systems the start is a date, and containers do not number their processes.
    boot: isLinux ? readOfLinux('/proc/sys/kernel/random/boot_id').trim() : '-',
    namespace: isLinux ? readlinkSync('/proc/self/ns/pid') : process.platform,
  }
  return here
}

const systemText = ({ host, boot, namespace }: System): string => `${host}/${boot}/${namespace}`

/** The machine and its boot, `HOST/BOOT`; `undefined` where the system does not tell it. */
export function systemName(): string | undefined {
  try {
    const { host, boot } = thisSystem()
    return `${host}/${boot}`
  } catch {
    return undefined
  }
}
