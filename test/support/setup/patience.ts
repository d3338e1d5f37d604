import { vi } from 'vitest'

const { waitFor } = vi

/** Conditions that tests wait for come late on a busy machine: `vi.waitFor` gives up after 55 s, not after 1 s. */
const patientWaitFor: typeof waitFor = (condition, options) =>
  waitFor(condition, {
    timeout: 55_000,
    interval: 10,
    ...(typeof options === 'number' ? { timeout: options } : options),
  })

// This is run for each file, and files share processes.
if (waitFor.name !== patientWaitFor.name) vi.waitFor = patientWaitFor
