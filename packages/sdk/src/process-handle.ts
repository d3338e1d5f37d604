import { readFile, readlink } from 'node:fs/promises'
import { execa } from 'execa'

/**
 * Names a process for good, `PID START SYSTEM`: a number alone is given to another process sooner or later. `START` is
 * when it began, `SYSTEM` the boot and the container in which the number counts.
 */
export const processHandle = async (pid: number): Promise<string> =>
  [pid, (await startOf(pid)) ?? 'ended', await systemId()].join(' ')

/**
 * What became of a process. `running`: it is `pid`. `ended`: nothing has its number. `unknown`: its number is another
 * process's by now, or counts elsewhere, and so would be anything that is sent to it.
 */
export type ProcessState = { state: 'running' | 'ended'; pid: number } | { state: 'unknown' }

/** Finds a process. A text that is no handle names none; none names process 1 or, by a sign, a group. */
export async function findProcess(handle: string): Promise<ProcessState> {
  const [, number, start, system] = /^(\d{1,10}) (\S+) (\S+)$/.exec(handle) ?? []
  const pid = Number(number)
  if (!(pid > 1) || system !== (await systemId())) return { state: 'unknown' }
  const found = await startOf(pid)
  if (found === null) return { state: 'ended', pid }
  return found === start ? { state: 'running', pid } : { state: 'unknown' }
}

const isLinux = process.platform === 'linux'

/** When a process began, as the system counts; `null` when it has ended, even if nobody took its exit code yet. */
const startOf = (pid: number): Promise<string | null> => (isLinux ? startOnLinux(pid) : startByPs(pid))

/** In clock ticks since boot: fields 3 (state) and 22 (start time) of proc_pid_stat(5). */
async function startOnLinux(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(nullWhenGone)
  // Field 2 is a name in brackets that may hold anything, brackets and spaces too.
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return state === undefined || state === 'Z' || state === 'X' ? null : (fields[18] ?? null)
}

function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ESRCH') return null
  throw error
}

async function startByPs(pid: number): Promise<string | null> {
  const { stdout } = await execa('ps', ['-o', 'stat=,lstart=', '-p', `${pid}`], { reject: false })
  const [state, ...start] = stdout.split(/\s+/).filter(Boolean)
  return state === undefined || state.startsWith('Z') ? null : start.join('_')
}

/** Where and since when process numbers count. */
async function systemId(): Promise<string> {
  if (!isLinux) return process.platform // There the start is a date, and no container numbers processes anew.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
  return `${boot.trim()}/${await readlink('/proc/self/ns/pid')}`
}
