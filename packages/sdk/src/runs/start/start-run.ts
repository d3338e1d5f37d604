// Why it is so: docs/decisions/0022-a-run-needs-nobody.md

import {
  AskError,
  backgroundClock,
  beginOperation,
  type Clock,
  checkOptions,
  type HostPasskeys,
  type OptionNames,
  observed,
  TRACEPARENT_VARIABLE,
} from '@sandagent/core/internal'
import { logError, logWarning, type OnWarning } from '../../answers/warnings.ts'
import type { Policy } from '../../policy/parse-policy.ts'
import { newRunId } from '../../run-records/run-paths.ts'
import { MAX_LOG_BYTES, type RunRecord } from '../../run-records/run-records.ts'
import { checkSandbox } from '../../sandbox/check-sandbox.ts'
import type { RunSandbox } from '../../sandbox/sandbox.ts'
import { loadSigningKeys } from '../../signing/load-signing-keys.ts'
import type { SigningKeys } from '../../signing/signing-keys.ts'
import { claimStart } from '../claim-start.ts'
import { enterWorkdir } from '../enter-workdir.ts'
import { describeRun, type Run } from '../run.ts'
import { compareReceipts, watchOver } from '../watch-over.ts'
import { demandOf } from './demand-of.ts'
import { launchRunner } from './launch-runner.ts'
import { checkRunRequest, type RunRequest } from './run-request.ts'

export interface StartOptions {
  /** Called for failures after the start. Default: printed by `console.error`. */
  onError?: ((error: unknown) => void) | undefined
  /** Called when the run has ended, if this process still runs. */
  onEnd?: ((run: Run) => void) | undefined
  /** Called after the run for each receipt of an answer that this host did not store. Default: a line by `console.error`. */
  onWarning?: OnWarning | undefined
  /** Its timers should not keep the process running. */
  clock?: Clock | undefined
  /**
   * Sign the answers to the run; its runner then accepts only signed answers. Default: this host's own signing keys, which
   * are made if there are none; `null` for a run that accepts unsigned answers.
   */
  signingKeys?: SigningKeys | null | undefined
  /**
   * The policy of the hosts that answer. Where a rule demands passkeys, the runner takes no answer that allows such a call
   * without them, not even one that the host has signed. Default: no call needs one.
   */
  policy?: Policy | undefined
  /** The passkeys of this host, as `createAnswerHandler` takes them: needed where the policy demands some. */
  passkeys?: HostPasskeys | undefined
  /** Ask in the store of a fleet instead of in files: `createRunFleet` of `@sandagent/fleet-host` makes it. Default: files. */
  fleet?: RunFleet | undefined
}

/** A fleet that runs enter: its hosts know them, and their runners ask there. */
export interface RunFleet {
  /** Makes a run known before its runner starts. If it throws, the run does not start. */
  enter(
    sandbox: RunSandbox,
    run: Pick<RunRecord, 'runId' | 'startedAt' | 'metadata' | 'publicKeyIds' | 'owner'> & {
      continues: readonly string[]
    },
    options: { signingKeys: SigningKeys | null; clock: Clock },
  ): Promise<EnteredRun>
}

interface EnteredRun {
  /** Variables of the runner: how it reaches the fleet. */
  env: Record<string, string>
  /** The runner has started. What goes wrong later is told by `onError`. */
  began(record: RunRecord, onError: (error: unknown) => void): Promise<void>
  /** The run has ended, or its runner did not start. */
  ended(): Promise<void>
}

const NAMES: OptionNames<StartOptions> = {
  onError: 'function',
  onEnd: 'function',
  onWarning: 'function',
  clock: 'clock',
  signingKeys: true,
  policy: 'list',
  passkeys: true,
  fleet: true,
}

/**
 * Starts an agent that goes on without this process: detached, and its UI stream in a file that `streamRun` shows. The run's
 * record is written before the agent begins.
 *
 * @throws AskError `INVALID_REQUEST` for a value of the wrong type, a text that is no run id, invalid arguments, or a policy
 *   that demands passkeys where there are none;
 *   `TOO_LARGE`; `CONFLICT` while the run goes on already or is being stopped; `NOT_FOUND` when there is no such runner.
 */
export async function startRun(
  sandbox: RunSandbox,
  request: RunRequest,
  options: StartOptions = {},
): Promise<Run> {
  checkOptions('startRun: its options', options, NAMES)
  checkRunRequest(request)
  checkSandbox(sandbox)
  const {
    onError = logError,
    onEnd,
    onWarning = logWarning,
    clock = backgroundClock,
    signingKeys,
    fleet,
  } = options
  const {
    runId = newRunId(),
    agent,
    args = [],
    prompt,
    metadata = {},
    owner,
    maxLogBytes = MAX_LOG_BYTES,
  } = request
  const signing =
    signingKeys === undefined
      ? await loadSigningKeys({ create: true, outside: sandbox.hostFolder })
      : signingKeys
  const passkeys = await demandOf(sandbox, request, { ...options, signingKeys: signing })
  const { hostFolder, stateFolder } = sandbox
  if (hostFolder !== undefined) await enterWorkdir({ workdir: hostFolder, stateFolder }, { onWarning })
  const { attempt, release } = await claimStart(sandbox, runId, clock)
  const publicKeyIds = signing?.publicKeys.keys.flatMap(({ kid = [] }) => kid)
  const facts = {
    version: 1,
    runId,
    attempt,
    agent,
    args,
    prompt,
    metadata,
    startedAt: new Date(clock.now()).toISOString(),
    maxLogBytes,
    publicKeyIds,
    owner,
    ...(passkeys && { demandsPasskeys: true as const }),
  } as const
  const { continues = [] } = request
  let entered: EnteredRun | undefined
  const observation = beginOperation({ name: 'start', runId, agent })
  const enter = async (): Promise<EnteredRun['env']> => {
    entered = await fleet?.enter(sandbox, { ...facts, continues }, { signingKeys: signing, clock })
    const traceparent = observation?.traceparent
    return { ...entered?.env, ...(traceparent !== undefined && { [TRACEPARENT_VARIABLE]: traceparent }) }
  }
  const { record, ended } = await observed(observation, () =>
    launchRunner(sandbox, facts, request, { signingKeys: signing, passkeys }, enter),
  )
    .catch((error: unknown) => {
      // Not awaited: it may take minutes, and its failure must not hide this one.
      entered?.ended().catch(onError)
      throw error
    })
    .finally(release)
  await entered?.began(record, onError)
  const over = watchOver(sandbox, record, ended, { clock, onError })
  // A host that has closed its sandbox knows that it sees no end.
  const tell = (error: unknown): void => {
    if (!(error instanceof AskError && error.facts.isClosed === true)) onError(error)
  }
  // The log's limit may fail while the run goes on.
  Promise.allSettled([over, ended])
    // Without a connection to the sandbox, nobody has seen the end.
    .then(async () => ((await ended).error ? undefined : entered?.ended()))
    .catch(onError)
  over
    .then(async (exit) => {
      onEnd?.(await describeRun(sandbox, record, exit))
      await compareReceipts(sandbox, record, { signingKeys: signing, onWarning, clock })
    })
    .catch(tell)
  return describeRun(sandbox, record)
}
