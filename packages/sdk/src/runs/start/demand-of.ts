import { type HostPasskeys, invalid, type RunPasskeys, runPasskeysOf } from '@sandagent/core/internal'
import { type Policy, parsePolicy } from '../../policy/parse-policy.ts'
import { latestRecord } from '../../run-records/run-records.ts'
import type { RunSandbox } from '../../sandbox/sandbox.ts'
import type { SigningKeys } from '../../signing/signing-keys.ts'
import type { RunRequest } from './run-request.ts'

/** What a start is given by which its run may demand passkeys. */
export interface GivenDemand {
  policy?: Policy | undefined
  passkeys?: HostPasskeys | undefined
  signingKeys: SigningKeys | null
}

/**
 * What a run demands of people who allow its calls; `undefined` where it demands no passkey.
 *
 * @throws AskError `INVALID_REQUEST` where passkeys are demanded, and something is missing without which the runner checks
 *   none; also for a run that demanded some when it was started before
 */
export async function demandOf(
  sandbox: RunSandbox,
  { runId }: RunRequest,
  { policy: given, passkeys, signingKeys }: GivenDemand,
): Promise<RunPasskeys | undefined> {
  const policy = given && parsePolicy(given)
  const isDemanded = policy?.some(({ passkey }) => passkey) === true
  const refused = (path: string, expected: string) =>
    invalid('INVALID_REQUEST', 'startRun: its options', [{ path, expected }])
  if (isDemanded && !passkeys)
    throw refused('passkeys', 'those of openPasskeys: a rule of the policy demands passkeys')
  if (passkeys && !policy)
    throw refused('policy', 'the policy beside passkeys: a run without it demands none')
  if (isDemanded && signingKeys === null)
    throw refused(
      'signingKeys',
      'keys beside passkeys: a runner that checks no signatures checks no passkeys',
    )
  if (isDemanded && passkeys) return runPasskeysOf(passkeys, policy)
  if (runId !== undefined && (await latestRecord(sandbox, runId))?.demandsPasskeys)
    throw refused('policy', `a policy that demands passkeys, as when the run ${runId} was started before`)
  return undefined
}
