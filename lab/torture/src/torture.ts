import { setTimeout as sleep } from 'node:timers/promises'
import type { BreakName } from './broken.ts'
import { bundleParts } from './bundle-parts.ts'
import { checkFiles, checkLeftovers } from './check/check-files.ts'
import { checkHeld, checkProcesses } from './check/check-processes.ts'
import { createDirector, type Director } from './director.ts'
import { FAULTS } from './faults/faults.ts'
import { createRandom, type Random } from './lib/random.ts'
import { cameTrue } from './lib/wait-for.ts'
import type { Report } from './messages.ts'
import type { OnViolation, Violation, ViolationKind } from './violation.ts'
import type { PlanWeights } from './world/plans.ts'
import { createWorld, type World } from './world/world.ts'

export interface TortureOptions {
  /** How long faults happen, in minutes. */
  minutes: number
  /**
   * The same seed plans the same questions and faults, a round after the other. How processes take turns is up to the machine.
   */
  seed: number
  /** Takes one promise out of the product first. */
  breakName?: BreakName | undefined
  /** Chooses these plans more or less often than usual, to find one break soon. */
  weights?: PlanWeights | undefined
  /** Ends at the first violation. Default false. */
  isOverAtViolation?: boolean
  /** Ends the faults before their time. Everything is checked and removed as always. */
  signal?: AbortSignal
  /** Called now and then with what has happened so far. */
  onProgress?: (figures: TortureFigures) => void
}

export interface TortureFigures extends Record<ViolationKind, number> {
  seed: number
  /** How long faults happened, in seconds. */
  seconds: number
  /** Processes that were killed with SIGKILL. */
  kills: number
  /** Faults from outside that were chosen, kills included. */
  faults: number
  asked: number
  /** Final answers that their person was told are stored. */
  acknowledged: number
  /** Answers that an agent got. */
  delivered: number
}

export interface TortureResult {
  figures: TortureFigures
  violations: Violation[]
}

/** How many questions are open at a time. */
const OPEN_QUESTIONS = 128

/** How many answers are given between two faults, as far as that takes no longer than {@link LONGEST_PAUSE_MS}. */
const ANSWERS_PER_FAULT = 16
const LONGEST_PAUSE_MS = 1000

/** How long everything may take to end once there are no more faults, in milliseconds. */
const END_PATIENCE_MS = 120_000

const PROGRESS_EVERY_MS = 10_000

/**
 * How long the same folders are used, in minutes. Each process that starts again reads what lies there, so full folders leave
 * no time for answers.
 */
const ROUND_MINUTES = 2

/** Runs the product in many processes, breaks them, and checks what everybody was told: in rounds, each with new folders. */
export async function torture(options: TortureOptions): Promise<TortureResult> {
  const { minutes, seed, onProgress = () => {} } = options
  const rounds: TortureResult[] = []
  const sumWith = (now: TortureFigures[]): TortureFigures =>
    sum(seed, [...rounds.map(({ figures }) => figures), ...now])
  for (let [left, n] = [minutes, 0]; left > 0; left -= ROUND_MINUTES, n++) {
    const round = await tortureOnce({
      ...options,
      minutes: Math.min(left, ROUND_MINUTES),
      seed: seed + n,
      onProgress: (now) => onProgress(sumWith([now])),
    })
    rounds.push(round)
    if (options.signal?.aborted || (options.isOverAtViolation && round.violations.length > 0)) break
  }
  return { figures: sumWith([]), violations: rounds.flatMap(({ violations }) => violations) }
}

function sum(seed: number, all: readonly TortureFigures[]): TortureFigures {
  const [first, ...others] = all as [TortureFigures, ...TortureFigures[]]
  const total = { ...first }
  for (const figures of others)
    for (const name of Object.keys(figures) as (keyof TortureFigures)[]) total[name] += figures[name]
  return { ...total, seed }
}

/** One round: starts the processes, breaks them, and checks everything. */
async function tortureOnce(options: TortureOptions): Promise<TortureResult> {
  const { minutes, seed, breakName, isOverAtViolation = false, onProgress = () => {} } = options
  const random = createRandom(seed)
  const violations: Violation[] = []
  const stop = new AbortController()
  options.signal?.addEventListener('abort', () => stop.abort(), { signal: stop.signal })
  const onViolation: OnViolation = (kind, what) => {
    violations.push({ kind, what })
    if (isOverAtViolation) stop.abort()
  }
  const parts = await bundleParts(breakName)
  const counts = new Map<string, Extract<Report, { counted: unknown }>['counted']>()
  let faults = 0
  let kills: number | undefined
  // Decisions about questions and about faults do not depend on each other's order.
  const director: Director = createDirector(() => world, {
    random: createRandom(random.below(2 ** 31)),
    weights: options.weights,
    onViolation,
  })
  const world = await createWorld(parts, createRandom(random.below(2 ** 31)), {
    onReport(part, report) {
      if ('counted' in report) counts.set(part.name, report.counted)
      else director.onReport(part, report)
    },
    onReady: director.onReady,
  })
  const begun = performance.now()
  let seconds = 0
  const figures = (): TortureFigures => ({
    seed,
    seconds: Math.round(seconds || (performance.now() - begun) / 1000),
    kills: kills ?? world.kills,
    faults,
    ...director.figures,
    ...countedByKind(violations),
  })
  const progress = setInterval(() => onProgress(figures()), PROGRESS_EVERY_MS)
  const timeUp = setTimeout(() => stop.abort(), minutes * 60_000)
  try {
    director.start(OPEN_QUESTIONS)
    await breakThings(world, director, random, stop.signal, () => faults++)
    seconds = (performance.now() - begun) / 1000
    kills = world.kills
    director.stop()
    world.heal()
    if (!(isOverAtViolation && violations.length > 0)) await checkEnd(world, director, counts, onViolation)
  } finally {
    clearTimeout(timeUp)
    clearInterval(progress)
    for (const name of await world.end()) onViolation('leaks', `${name} does not end`)
    await checkProcesses(world, onViolation)
    director.end()
    world.remove()
    await parts.remove()
  }
  return { figures: figures(), violations }
}

/** Lets faults happen until the signal aborts, and those that last come to their end. */
async function breakThings(
  world: World,
  director: Director,
  random: Random,
  signal: AbortSignal,
  onFault: () => void,
): Promise<void> {
  const weights = Object.fromEntries(FAULTS.map(({ name, weight }) => [name, weight]))
  const running = new Set<Promise<void>>()
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {})
  while (!signal.aborted) {
    const goal = director.figures.delivered + ANSWERS_PER_FAULT
    await cameTrue(() => director.figures.delivered >= goal || signal.aborted, LONGEST_PAUSE_MS)
    const name = random.weighted(weights)
    const fault = FAULTS.find((each) => each.name === name)
    const happening = Promise.resolve(fault?.happen({ world, random, pause })).finally(() =>
      running.delete(happening),
    )
    running.add(happening)
    onFault()
  }
  await Promise.all(running)
}

/** Without faults, everything comes to its end. Then the files are checked, and what is left. */
async function checkEnd(
  world: World,
  director: Director,
  counts: Map<string, Extract<Report, { counted: unknown }>['counted']>,
  onViolation: OnViolation,
): Promise<void> {
  if (!(await cameTrue(() => director.open().length === 0, END_PATIENCE_MS)))
    for (const { ask, acts, outcomes } of director.open())
      onViolation('stuck', `${ask.toolCallId}: ${JSON.stringify({ outcomes, acts })}`)
  await checkHeld(world, counts, () => counts.clear(), onViolation)
  for (const name of await world.end()) onViolation('leaks', `${name} does not end`)
  checkFiles(world, director.done, onViolation)
  await checkLeftovers(world, onViolation)
}

function countedByKind(violations: readonly Violation[]): Record<ViolationKind, number> {
  const count = { lost: 0, duplicated: 0, torn: 0, stuck: 0, misreported: 0, leaks: 0 }
  for (const { kind } of violations) count[kind]++
  return count
}
