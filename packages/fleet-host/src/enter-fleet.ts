import { type Clock, invalid, sleep } from '@sandagent/core/internal'
import type { FleetStore, StoredRun } from '@sandagent/fleet'
import { CHANNEL_TOKEN_VARIABLE, CHANNEL_URL_VARIABLE } from '@sandagent/fleet/internal'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { loadSigningKeys } from '../signing/load-signing-keys.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { createRunnerToken } from './runner-token.ts'

/** Where a run asks instead of in files: in the store of a fleet, by way of a host's HTTP address. */
export interface FleetOption {
  store: FleetStore
  /** Where hosts of the fleet serve `createRunnerHandler`, as the sandbox reaches it. */
  url: string
  /**
   * Where the questions of the run are. Default: where they were before if the run starts again, or else that of the first run
   * that it continues, or else the run's id.
   */
  namespace?: string | undefined
}

export interface EnteredRun {
  /** Variables of the runner. */
  env: Record<string, string>
  /** Notes that the run has ended. While the store is out of reach, it tries again for some minutes. */
  end(): Promise<void>
}

/** How long the end of a run is tried to be noted, and the pause between. */
const TRY_FOR_MS = 5 * 60_000
const AGAIN_MS = 5000

/**
 * Makes a run known to the fleet, and gives its runner access.
 *
 * @throws AskError `INVALID_REQUEST` where isolated programs cannot reach the address.
 */
export async function enterFleet(
  sandbox: RunSandbox & { activeIsolation?: () => Promise<Isolation> },
  { store, url, namespace: given }: FleetOption,
  run: Omit<StoredRun, 'namespace' | 'endedAt'> & { continues: readonly string[] },
  { signingKeys, clock }: { signingKeys: SigningKeys | null; clock: Clock },
): Promise<EnteredRun> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw invalid('INVALID_REQUEST', 'This run cannot be started', [
      { path: 'fleet.url', expected: 'an address that begins with http:// or https://' },
    ])
  if ((await sandbox.activeIsolation?.())?.level === 'strict')
    throw invalid('INVALID_REQUEST', 'This run cannot be started', [
      {
        path: 'fleet',
        expected: 'a sandbox without isolation; with it, the run asks in files: see mirrorQuestions',
      },
    ])
  const { runId, startedAt, metadata, publicKeyIds, owner, continues } = run
  const namespace = given ?? (await namespaceOf(store, [runId, ...continues.slice(0, 1)])) ?? runId
  const keys = signingKeys ?? (await loadSigningKeys({ create: true }))
  const token = await createRunnerToken({ namespace, runId, continues }, { signingKeys: keys, clock })
  await store.runs.put({
    runId,
    namespace,
    startedAt,
    metadata,
    ...(publicKeyIds && { publicKeyIds }),
    ...(owner !== undefined && { owner }),
  })
  return {
    env: { [CHANNEL_URL_VARIABLE]: url, [CHANNEL_TOKEN_VARIABLE]: token },
    async end() {
      const ended = { runId, startedAt, endedAt: new Date(clock.now()).toISOString() }
      const lastTryAt = clock.now() + TRY_FOR_MS
      for (;;) {
        try {
          return await store.runs.end(ended)
        } catch (error) {
          if (clock.now() >= lastTryAt) throw error
        }
        await sleep(clock, AGAIN_MS)
      }
    },
  }
}

/** The namespace of the first of these runs that the fleet knows. */
async function namespaceOf({ runs }: FleetStore, runIds: readonly string[]): Promise<string | undefined> {
  for (const runId of runIds) {
    const run = await runs.find(runId)
    if (run) return run.namespace
  }
  return undefined
}
