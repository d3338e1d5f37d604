import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts the time of processes in hundredths of a second. */
const TICK_MS = 10

/** The CPU time of a process and of all that it started, in milliseconds. */
export function treeCpuMs(root: number): number {
  const children = new Map<number, number[]>()
  const ms = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const fields = Number.isNaN(pid) ? null : statOf(`/proc/${pid}/stat`)
    if (!fields) continue
    const [parent, ...times] = fields
    children.set(parent, [...(children.get(parent) ?? []), pid])
    ms.set(pid, times.reduce((sum, ticks) => sum + ticks, 0) * TICK_MS)
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((all, child) => all + sum(child), ms.get(pid) ?? 0)
  return sum(root)
}

/** The CPU time of all processes of the machine, in milliseconds. */
export function machineCpuMs(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .map(Number)
  return (user + nice + system + irq + softIrq) * TICK_MS
}

/** The parent, and the times of the process and of its children that have ended. `null`: it has ended itself. */
function statOf(path: string): [parent: number, ...ticks: number[]] | null {
  try {
    // The name of the program is in parentheses, and may have spaces.
    const fields = readFileSync(path, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? []
    return [fields[1] ?? 0, ...fields.slice(11, 15)]
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
