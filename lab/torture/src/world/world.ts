import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import type { BundledParts } from '../bundle-parts.ts'
import type { Random } from '../lib/random.ts'
import { createTimers } from '../lib/timers.ts'
import type { Report } from '../messages.ts'
import { mountSmallDisk, type SmallDisk } from './disks.ts'
import { PARTS, type Place, settingsOf } from './parts.ts'
import { createPartProcess, type PartProcess } from './process.ts'

const COMMAND = fileURLToPath(new URL('../../../../packages/cli/dist/main.js', import.meta.url))

/** After this time at most, a part that ended is started again, in milliseconds. */
const LONGEST_ABSENCE_MS = 300

export interface World extends Place {
  parts: ReadonlyMap<string, PartProcess>
  disk: SmallDisk | null
  /** The process of the relay that was started last, while its host is there. */
  relay: number | undefined
  /** How many processes ended by SIGKILL. */
  kills: number
  /** No part that starts from now on has faults. */
  heal(): void
  /** Ends all processes, and resolves to the names of those that do not end. */
  end(): Promise<string[]>
  remove(): void
}

interface WorldListeners {
  onReport(part: PartProcess, report: Report): void
  /** A part takes orders, for the first time or again. */
  onReady(part: PartProcess): void
}

/** How long a part may take to end, in milliseconds. */
const END_PATIENCE_MS = 20_000

/** Makes the folders, and starts all processes. What ends is started again. */
export async function createWorld(
  { program, relayFaults }: BundledParts,
  random: Random,
  { onReport, onReady }: WorldListeners,
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'sandagent-torture-'))
  const disk = mountSmallDisk(folder)
  const workdirs = ['plain', 'without-links', 'small', 'far'].map((name) => join(folder, name))
  for (const workdir of workdirs) mkdirSync(workdir, { recursive: true })
  const otherWorkdirs = workdirs.with(2, disk?.otherPlace ?? (workdirs[2] as string))
  const signingKey = await createSigningKey()
  const { publicKeys } = await parseSigningKeys(signingKey)
  const place: Place = {
    folder,
    workdirs,
    otherWorkdirs,
    frozen: join(folder, 'frozen'),
    command: COMMAND,
    relayFaults,
    signingKey,
    publicKeys,
  }

  const parts = new Map<string, PartProcess>()
  const ports = new Map<string, number>()
  const starts = createTimers()
  let [isHealed, isEnding] = [false, false]

  const tellPorts = (): void => {
    const order = { ports: [...ports.values()] }
    for (const part of parts.values()) part.order(order)
  }
  const start = (part: PartProcess): void => {
    const facts = PARTS.find(({ name }) => name === part.name)
    if (facts) part.start(settingsOf(facts, place, random, isHealed))
  }
  for (const facts of PARTS) {
    const part = createPartProcess(program, facts.name, {
      onReport(part, report) {
        if ('port' in report) {
          ports.set(part.name, report.port)
          tellPorts()
        } else if ('relay' in report) world.relay = report.relay
        else if ('relayKilled' in report) world.kills++
        else if ('ready' in report) {
          part.order({ ports: [...ports.values()] })
          if (isHealed) part.order({ heal: true })
          onReady(part)
        } else onReport(part, report)
      },
      onExit(part, signal) {
        if (signal === 'SIGKILL') world.kills++
        if (facts.role === 'relay-host') world.relay = undefined
        if (ports.delete(part.name)) tellPorts()
        if (!isEnding) starts.later(random.below(LONGEST_ABSENCE_MS), () => start(part))
      },
    })
    parts.set(facts.name, part)
  }
  const world: World = {
    ...place,
    parts,
    disk,
    relay: undefined,
    kills: 0,
    heal() {
      isHealed = true
      for (const part of parts.values()) part.order({ heal: true })
    },
    async end() {
      isEnding = true
      starts.drop()
      const left: string[] = []
      await Promise.all(
        [...parts.values()].map(async (part) => {
          part.signal('SIGTERM')
          const late = setTimeout(() => {
            left.push(part.name)
            part.signal('SIGKILL')
          }, END_PATIENCE_MS)
          await part.gone()
          clearTimeout(late)
        }),
      )
      return left
    },
    remove() {
      disk?.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  for (const part of parts.values()) start(part)
  return world
}
