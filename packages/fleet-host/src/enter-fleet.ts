import { checkOptions, invalid, type OptionNames, sleep } from '@sandagent/core/internal'
import type { FleetStore } from '@sandagent/fleet'
import { CHANNEL_TOKEN_VARIABLE, CHANNEL_URL_VARIABLE } from '@sandagent/fleet/internal'
import { type Isolation, loadSigningKeys, type RunFleet, type RunSandbox } from '@sandagent/sdk/internal'
import { beginLog, copyLog } from './copy-log.ts'
import { createRunnerToken } from './runner-token.ts'

export interface RunFleetOptions {
  store: FleetStore
  /** Where hosts of the fleet serve `createRunnerHandler`, as the sandbox reaches it. */
  url: string
  /**
   * Where the questions of the run are. Default: where they were before if the run starts again, or else that of the first run
   * that it continues, or else the run's id.
   */
  namespace?: string | undefined
}

const NAMES: OptionNames<RunFleetOptions> = { store: true, url: true, namespace: true }

/** How long the end of a run is tried to be noted, and the pause between. */
const TRY_FOR_MS = 5 * 60_000
const AGAIN_MS = 5000

/**
 * For `startRun`: its run asks in the store of a fleet, by way of a host's HTTP address, and all hosts can stream it.
 * `startRun` fails with `INVALID_REQUEST` where isolated programs cannot reach the address.
 */
export function createRunFleet(options: RunFleetOptions): RunFleet {
  checkOptions('createRunFleet', options, NAMES)
  const { store, url, namespace: given } = options
  return {
    async enter(
      sandbox: RunSandbox & { activeIsolation?: () => Promise<Isolation> },
      { runId, startedAt, metadata, publicKeyIds, owner, continues },
      { signingKeys, clock },
    ) {
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

        async began(record, onError) {
          const { logs } = store
          if (!logs) return
          // Other hosts may stream the run as soon as it has started.
          await beginLog(record, logs).catch(onError)
          copyLog(sandbox, record, logs, { signal: new AbortController().signal, clock }).catch(onError)
        },

        async ended() {
          const end = { runId, startedAt, endedAt: new Date(clock.now()).toISOString() }
          const lastTryAt = clock.now() + TRY_FOR_MS
          for (;;) {
            try {
              return await store.runs.end(end)
            } catch (error) {
              if (clock.now() >= lastTryAt) throw error
            }
            await sleep(clock, AGAIN_MS)
          }
        },
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
