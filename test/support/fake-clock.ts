/** A clock that stands still until it is told to go on. Every package's tests use it, so it imports none of them. */
export interface FakeClock {
  now(): number
  after(ms: number, callback: () => void): () => void
  advance(ms: number): void
  /** How many timers wait. */
  pending(): number
}

export function fakeClock(): FakeClock {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const timers = new Set<{ at: number; callback: () => void }>()
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      now += ms
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer)
        timer.callback()
      }
    },
    pending: () => timers.size,
  }
}
