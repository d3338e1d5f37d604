import { createHeap } from './heap.ts'

/** A clock that jumps from event to event. Times are in milliseconds. */
export interface Simulation {
  now(): number
  after(ms: number, event: () => void): void
  /** Runs until no event is left. */
  run(): void
}

export function createSimulation(): Simulation {
  const events = createHeap<() => void>()
  let now = 0
  return {
    now: () => now,
    after: (ms, event) => events.add(now + ms, event),
    run() {
      while (events.size > 0) {
        now = events.first()
        events.take()?.()
      }
    },
  }
}

/** Does work, and calls `done` at its end. */
export type Server = (ms: number, done: () => void) => void

/**
 * A machine that does up to `capacity` pieces of work at full speed. More than that share it evenly: all become slower. So do
 * the processes of a system, and the commits of a database that share a sync.
 */
export function createSharedServer(simulation: Simulation, capacity: number): Server {
  /** How much work each piece has got that was there from the beginning. */
  let progress = 0
  let since = 0
  let plan = 0
  const pieces = createHeap<() => void>()
  const speed = (): number => Math.min(1, capacity / pieces.size)
  const advance = (): void => {
    if (pieces.size > 0) progress += (simulation.now() - since) * speed()
    since = simulation.now()
  }
  const planNext = (): void => {
    const current = ++plan
    if (pieces.size === 0) return
    simulation.after(Math.max(0, pieces.first() - progress) / speed(), () => {
      if (current !== plan) return
      since = simulation.now()
      progress = pieces.first()
      const done = pieces.take()
      planNext()
      done?.()
    })
  }
  return (ms, done) => {
    advance()
    pieces.add(progress + ms, done)
    planNext()
  }
}

/** Nothing else uses it: work takes as long as it takes. */
export const createDelay =
  (simulation: Simulation): Server =>
  (ms, done) =>
    simulation.after(ms, done)

/** Lets at most so many pieces of work into a server at a time. The others wait in their order. */
export function limited(server: Server, most: number): Server {
  const waiting = createHeap<{ ms: number; done: () => void }>()
  let order = 0
  let running = 0
  const next = (): void => {
    if (running >= most) return
    const work = waiting.take()
    if (!work) return
    running += 1
    server(work.ms, () => {
      running -= 1
      next()
      work.done()
    })
  }
  return (ms, done) => {
    waiting.add(order++, { ms, done })
    next()
  }
}
