import { type Clock, systemClock } from '@sandagent/core/internal'
import type { RunLogs } from '@sandagent/core/store'
import { runner } from '@sandagent/fixtures/runner/runner.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createMemoryFleet, type FleetStore, type RunRegistry } from '@sandagent/fleet'
import {
  createSigningKey,
  loadSigningKeys,
  parseSigningKeys,
  type RunRequest,
  type StartOptions,
  startRun,
} from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRunFleet } from '../src/enter-fleet.ts'
import { streamFleetRun } from '../src/fleet-runs.ts'
import { readRunnerToken } from '../src/runner-token.ts'
import { noted, refusalOf, tempSandbox } from './support/runs.ts'

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
  onTestFinished(() => memory.close()) // Before the folder goes: its log is not copied any more.
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const start = (options: StartOptions = {}, request: RunRequest = REQUEST) =>
    startRun(sandbox, request, { signingKeys, clock, fleet: createRunFleet({ store, url }), ...options })
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
    await vi.waitFor(async () => expect(await runs.find('r')).toHaveProperty('endedAt'))
  })

  it('has not ended when its host has closed the connection to the sandbox', async () => {
    const ends = vi.fn(noStore)
    const { sandbox, start, runs } = await starting(() => ({ end: ends }))
    const { detached } = sandbox
    const closed = new Error('The connection is closed')
    const { start: begin } = detached
    detached.start = async (...given) => {
      const program = await begin(...given)
      return { ...program, ended: program.ended.then((end) => ({ ...end, error: closed })) }
    }
    const errors: unknown[] = []
    await start({ onError: (error) => errors.push(error) })
    await vi.waitFor(() => expect(errors).toEqual([closed]))
    expect(await runs.find('r')).not.toHaveProperty('endedAt')
    expect(ends).not.toHaveBeenCalled()
  })

  it('is tried to be ended for five minutes, every five seconds', async () => {
    const clock = createFakeClock()
    const tries: number[] = []
    const failure = new Error('no store')
    const { sandbox, store } = await starting(() => ({
      end: async ({ endedAt }) => {
        tries.push(clock.now())
        expect(endedAt).toBe('2026-01-01T00:00:00.000Z')
        throw failure
      },
    }))
    const run = { runId: 'r', startedAt: new Date(0).toISOString(), metadata: {}, continues: [] }
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const { ended: end } = await createRunFleet({ store, url: URL_OF_HOSTS }).enter(sandbox, run, {
      signingKeys,
      clock,
    })
    const startedAt = clock.now()
    let thrown: unknown = null
    const ended = end().catch((error: unknown) => {
      thrown = error
    })
    for (let pause = 0; pause < 60; pause++) {
      await clock.whenPending()
      expect(thrown).toBeNull()
      clock.advance(5_000)
    }
    await ended
    expect(thrown).toBe(failure)
    expect(tries).toEqual(Array.from({ length: 61 }, (_, index) => startedAt + index * 5_000))
  })

  it('cannot ask a fleet from a sandbox with strict isolation', async () => {
    const { sandbox, store, runs } = await starting(() => ({}))
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const run = { runId: 'r', startedAt: new Date(0).toISOString(), metadata: {}, continues: [] }
    const enter = (isolation: object) =>
      createRunFleet({ store, url: URL_OF_HOSTS }).enter(
        { files: sandbox.files, activeIsolation: async () => isolation } as never,
        run,
        { signingKeys, clock },
      )
    expect(await refusalOf(enter({ level: 'strict' }))).toMatchObject({
      code: 'INVALID_REQUEST',
      faults: [{ path: 'fleet' }],
    })
    expect(await runs.find('r')).toBeNull()
    await enter({ level: 'none' })
    expect(await runs.find('r')).not.toBeNull()
  })

  it('keeps its keys and its facts in the fleet', async () => {
    const { sandbox, store, runs } = await starting(() => ({}))
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const facts = { runId: 'r', startedAt: new Date(0).toISOString(), metadata: { chat: '7' } }
    const run = { ...facts, publicKeyIds: ['k'], owner: 'ada', continues: ['before'] }
    const fleet = createRunFleet({ store, url: URL_OF_HOSTS, namespace: 'n' })
    const { env } = await fleet.enter(sandbox, run, { signingKeys, clock })
    expect(await runs.find('r')).toEqual({ ...facts, namespace: 'n', publicKeyIds: ['k'], owner: 'ada' })
    expect(Object.values(env)).toHaveLength(2)
    const [token] = Object.values(env).filter((value) => value !== URL_OF_HOSTS)
    expect(await readRunnerToken(token ?? '', { signingKeys, clock })).toMatchObject({
      namespace: 'n',
      runId: 'r',
      continues: ['before'],
    })
    await fleet.enter(sandbox, { ...facts, runId: 's', continues: [] }, { signingKeys, clock })
    expect(await runs.find('s')).toEqual({ ...facts, runId: 's', namespace: 'n' })
  })

  it('makes a key for its token on a host that has none', async () => {
    vi.stubEnv('XDG_CONFIG_HOME', await tempDir())
    onTestFinished(() => void vi.unstubAllEnvs())
    const { sandbox, runs } = await starting(() => ({}))
    const run = { runId: 'r', startedAt: new Date(0).toISOString(), metadata: {}, continues: [] }
    const fleet = createRunFleet({ store: { ...createMemoryFleet(), runs }, url: URL_OF_HOSTS })
    expect(await loadSigningKeys()).toBeNull()
    const { env } = await fleet.enter(sandbox, run, { signingKeys: null, clock })
    expect(Object.values(env)).toContain(URL_OF_HOSTS)
    expect(await loadSigningKeys()).not.toBeNull()
    expect(await runs.find('r')).toMatchObject({ namespace: 'r', runId: 'r' })
    expect(await runs.find('r')).not.toHaveProperty('owner')
  })

  it('asks where the first run asks that it continues, unless it says where', async () => {
    const { sandbox, runs, store } = await starting(() => ({}))
    for (const [runId, namespace] of [
      ['one', 'n1'],
      ['two', 'n2'],
    ] as const)
      await runs.put({ runId, namespace, startedAt: new Date(0).toISOString(), metadata: {} })
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const enter = async (runId: string, continues: string[], namespace?: string) => {
      const run = { runId, startedAt: new Date(0).toISOString(), metadata: {}, continues, owner: 'ada' }
      await createRunFleet({ store, url: URL_OF_HOSTS, namespace }).enter(sandbox, run, {
        signingKeys,
        clock,
      })
      return runs.find(runId)
    }
    expect(await enter('a', ['two', 'one'])).toMatchObject({ namespace: 'n2', owner: 'ada' })
    expect(await enter('b', ['two'], 'own')).toMatchObject({ namespace: 'own' })
    expect(await enter('c', ['unknown', 'one'])).toMatchObject({ namespace: 'c' })
  })

  it.each(['ftp://127.0.0.1', 'http//x', 'http://', ' http://127.0.0.1'])(
    'refuses the address %j',
    async (url) => {
      const { start } = await starting(() => ({}), url)
      expect(await refusalOf(start())).toMatchObject({
        code: 'INVALID_REQUEST',
        faults: [{ path: 'fleet.url' }],
      })
    },
  )

  it('asks in the same namespace when it is started again', async () => {
    const { sandbox, start, runs, store } = await starting(() => ({}))
    for (const namespace of ['project', undefined]) {
      await start({ fleet: createRunFleet({ store, url: URL_OF_HOSTS, namespace }) })
      await noted(sandbox, 'r')
      expect(await runs.find('r')).toMatchObject({ namespace: 'project' })
    }
  })
})

describe('a started run of a fleet', () => {
  /** Starts a run in a fleet whose logs are changed, and collects its failures. */
  const startIn = async (change: (logs: RunLogs) => Partial<RunLogs>) => {
    const sandbox = await tempSandbox()
    const memory = createMemoryFleet()
    const logs = memory.logs as RunLogs
    const store = { ...memory, logs: { ...logs, ...change(logs) } }
    onTestFinished(() => store.close())
    const errors: unknown[] = []
    const run = await startRun(
      sandbox,
      { agent: 'finishes', prompt: '', runner },
      {
        signingKeys: await parseSigningKeys(await createSigningKey()),
        fleet: createRunFleet({ store, url: 'http://127.0.0.1:1/runner' }),
        onError: (error) => errors.push(error),
      },
    )
    await noted(sandbox, run.runId)
    return { ...run, store, logs, errors }
  }

  it('can be streamed by other hosts as soon as it has started', async () => {
    const { runId, store, logs } = await startIn(() => ({ last: () => new Promise<never>(() => {}) }))
    expect(await logs.lastAttempt(runId)).toBe(1)
    const stream = await streamFleetRun(store, runId)
    await stream.cancel()
  })

  it('copies its log, and notes its end', async () => {
    const { runId, attempt, store, logs, errors } = await startIn(() => ({}))
    await vi.waitFor(async () =>
      expect(await logs.last({ runId, attempt })).toMatchObject({ ended: 'finished' }),
    )
    await vi.waitFor(async () => expect(await store.runs.find(runId)).toHaveProperty('endedAt'))
    expect(errors).toEqual([])
  })

  it('goes on without a log that cannot be stored, and reports both failures', async () => {
    const failure = new Error('The disk of the store is full')
    const { store, runId, errors } = await startIn(() => ({ append: () => Promise.reject(failure) }))
    await vi.waitFor(() => expect(errors).toEqual([failure, failure]))
    await vi.waitFor(async () => expect(await store.runs.find(runId)).toHaveProperty('endedAt'))
  })
})
