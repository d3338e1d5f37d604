import { readdirSync, readFileSync } from 'node:fs'
import { cameTrue } from '../lib/wait-for.ts'
import type { Report } from '../messages.ts'
import { SETTINGS_VARIABLE } from '../parts/settings/settings-variable.ts'
import type { OnViolation } from '../violation.ts'
import type { PartProcess } from '../world/process.ts'
import type { World } from '../world/world.ts'

type Counted = Extract<Report, { counted: unknown }>['counted']

/** What a process may hold more than one that has just started: connections that are kept, the watch of each run. */
const MORE: Counted = { descriptors: 24, timers: 8, watches: 8 }

const PATIENCE_MS = 30_000

/**
 * Compares what each process holds when nothing is left to do with what the same process holds after it was started again.
 *
 * @param counts the latest count of each part, which the caller keeps
 */
export async function checkHeld(
  world: World,
  counts: ReadonlyMap<string, Counted>,
  forget: () => void,
  onViolation: OnViolation,
): Promise<void> {
  const countAll = async (): Promise<Map<string, Counted>> => {
    forget()
    const parts = [...world.parts.values()]
    // A part may be away just now. Each process is asked once.
    const asked = new Map<string, number | undefined>()
    const askAll = (): void => {
      for (const part of parts) {
        if (asked.get(part.name) === part.pid()) continue
        asked.set(part.name, part.pid())
        part.order({ count: true })
      }
    }
    const haveAll = (): boolean => {
      askAll()
      return counts.size === parts.length
    }
    if (!(await cameTrue(haveAll, PATIENCE_MS)))
      for (const { name } of parts)
        if (!counts.has(name)) onViolation('stuck', `${name} does not say what it holds`)
    return new Map(counts)
  }
  let before = await countAll()
  // Polls that run out end by themselves: on a busy machine, later.
  await cameTrue(async () => {
    if ([...before.values()].every(({ timers }) => timers <= MORE.timers)) return true
    before = new Map([...before, ...(await countAll())])
    return false
  }, PATIENCE_MS)
  const old = new Map([...world.parts].map(([name, part]) => [name, part.pid()]))
  for (const part of world.parts.values()) part.signal('SIGKILL')
  const isNew = (part: PartProcess): boolean => part.isReady() && part.pid() !== old.get(part.name)
  await cameTrue(() => [...world.parts.values()].every(isNew), PATIENCE_MS)
  const fresh = await countAll()
  for (const [name, held] of before)
    for (const what of ['descriptors', 'timers', 'watches'] as const) {
      const least = fresh.get(name)?.[what] ?? Number.POSITIVE_INFINITY
      if (held[what] > least + MORE[what])
        onViolation('leaks', `${name} holds ${held[what]} ${what}, and ${least} when it starts`)
    }
}

/** Checks that no process of the torture is left, relays included. */
export async function checkProcesses(world: World, onViolation: OnViolation): Promise<void> {
  if (process.platform !== 'linux') return
  const left = (): string[] =>
    readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOfWorld(name, world))
  if (!(await cameTrue(() => left().length === 0, PATIENCE_MS)))
    onViolation('leaks', `processes are left: ${left().map(commandOf).join('; ')}`)
}

function isOfWorld(pid: string, { folder }: World): boolean {
  const environment = textOf(`/proc/${pid}/environ`)
  return environment.includes(`${SETTINGS_VARIABLE}=`) && environment.includes(folder)
}

const commandOf = (pid: string): string => `${pid} ${textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
