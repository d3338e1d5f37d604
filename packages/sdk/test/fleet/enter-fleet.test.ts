import { type Clock, systemClock } from '@sandagent/core/internal'
import { createMemoryFleet, type FleetStore, type RunRegistry } from '@sandagent/store'
import { describe, expect, it, vi } from 'vitest'
import { type RunRequest, type StartOptions, startRun } from '../../src/index.ts'
import { createSigningKey, parseSigningKeys } from '../../src/signing/signing-keys.ts'
import { noted, runner } from '../support/runs.ts'
import { refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

const REQUEST = { agent: 'finishes', prompt: 'Go', runner, runId: 'r' }
const URL_OF_HOSTS = 'http://127.0.0.1:1/api/runner'

/** Long pauses are short. */
const clock: Clock = {
  ...systemClock,
  after: (ms, callback) => systemClock.after(Math.min(ms, 20), callback),
}

async function starting(runs: (registry: RunRegistry) => Partial<RunRegistry>, url = URL_OF_HOSTS) {
  const memory = createMemoryFleet()
  const store: FleetStore = { ...memory, runs: { ...memory.runs, ...runs(memory.runs) } }
  const sandbox = await tempSandbox()
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const start = (options: StartOptions = {}, request: RunRequest = REQUEST) =>
    startRun(sandbox, request, { signingKeys, clock, fleet: { store, url }, ...options })
  return { sandbox, store, runs: memory.runs, start }
}

const noStore = async (): Promise<never> => {
  throw new Error('no store')
}

describe('a run of a fleet', () => {
  it('can be started again at once after the store was out of reach, or the address was wrong', async () => {
    for (const [runs, url] of [
      [{ put: noStore }, URL_OF_HOSTS],
      [{}, 'no address'],
    ] as const) {
      const { sandbox, start } = await starting(() => runs, url)
      await expect(start()).rejects.not.toMatchObject({ code: 'CONFLICT' })
      expect(await start({ fleet: undefined })).toMatchObject({ attempt: 1 })
      await noted(sandbox, 'r')
    }
  })

  it('fails with the reason of the start when its end cannot be noted', async () => {
    const { start } = await starting(() => ({ end: noStore }))
    const missing = { ...REQUEST, runner: ['no-such-program'] as const }
    expect(await refusalOf(start({ onError: () => {} }, missing))).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('has ended once the store can be reached again', async () => {
    let failures = 2
    const { start, runs } = await starting((registry) => ({
      end: async (run) => (failures-- > 0 ? noStore() : registry.end(run)),
    }))
    await start()
    await vi.waitFor(async () => expect(await runs.find('r')).toHaveProperty('endedAt'), { timeout: 10_000 })
  })

  it('asks in the same namespace when it is started again', async () => {
    const { sandbox, start, runs, store } = await starting(() => ({}))
    for (const namespace of ['project', undefined]) {
      await start({ fleet: { store, url: URL_OF_HOSTS, namespace } })
      await noted(sandbox, 'r')
      expect(await runs.find('r')).toMatchObject({ namespace: 'project' })
    }
  })
})
