import { vi } from 'vitest'

/** Waits until a check passes; generous, because the machine may be busy. */
export const eventually = (check: () => void): Promise<void> =>
  vi.waitFor(check, { timeout: 4000, interval: 5 })
