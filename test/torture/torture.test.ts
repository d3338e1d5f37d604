import { torture } from '@sandagent/torture'
import { expect, it } from 'vitest'
import { canRun } from './can-run.ts'

it.skipIf(!canRun)(
  'loses, doubles and misreports no answer while its processes are broken',
  async () => {
    const { figures, violations } = await torture({ minutes: 1, seed: 1 })
    expect(violations, JSON.stringify(figures)).toEqual([])
    expect(figures.kills).toBeGreaterThan(0)
    expect(figures.acknowledged).toBeGreaterThan(0)
  },
  600_000,
)
