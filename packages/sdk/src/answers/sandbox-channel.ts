import {
  type Clock,
  type HostChannel,
  type HostPasskeys,
  type OptionNames,
  type QuestionRecord,
  systemClock,
} from '@sandagent/core/internal'
import { createHostChannel, type HostQuestions } from '@sandagent/core/store'
import { createFileHostStore, hasAskerEnded, isInCopy } from '@sandagent/files/internal'
import { isRunId } from '../run-records/run-paths.ts'
import { isRunning, latestRecord, orWhenRefused } from '../run-records/run-records.ts'
import { checkSandbox } from '../sandbox/check-sandbox.ts'
import type { AnswerableSandbox, FileSandbox } from '../sandbox/sandbox.ts'
import { authenticatorOf } from '../signing/answer-signatures.ts'
import { hostKeys } from '../signing/load-signing-keys.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { OnWarning } from './warnings.ts'

export interface HostOptions {
  /** Recognize this host's own answers. Default: its own signing keys, if it has any; `null` for none. */
  signingKeys?: SigningKeys | null | undefined
  /** Called for faults of the sandbox's files, see `AnswerHandlerOptions`. Default for lists: `console.error`. */
  onWarning?: OnWarning | undefined
  /**
   * The passkeys of this host, see `openPasskeys` of `@sandagent/passkeys`: people can then allow what needs one, and stored
   * answers are checked by their keys. Default: people can only deny it, and stored answers are checked by the ids of passkeys
   * alone.
   */
  passkeys?: HostPasskeys | undefined
  clock?: Clock | undefined
}

export const HOST_OPTIONS: OptionNames<HostOptions> = {
  signingKeys: true,
  onWarning: 'function',
  passkeys: true,
  clock: 'clock',
}

/** The host's channel of a sandbox, which knows the runs and the keys of this host. @throws AskError `INVALID_REQUEST` */
export const channelOf = (
  sandbox: AnswerableSandbox,
  { signingKeys, passkeys, onWarning, clock = systemClock }: HostOptions = {},
): HostChannel => {
  checkSandbox(sandbox)
  const { store, hasEnded } = isInFiles(sandbox)
    ? {
        store: storeOverFiles(sandbox, clock),
        hasEnded: (record: QuestionRecord) => hasRunEnded(sandbox, record),
      }
    : { store: sandbox.questions, hasEnded: sandbox.runs.hasEnded }
  return createHostChannel(store, {
    publicKeys: async () => (await hostKeys(signingKeys))?.publicKeys ?? null,
    authenticate: authenticatorOf(sandbox, { signingKeys, passkeys, clock }),
    hasRunEnded: hasEnded,
    onWarning,
    clock,
  })
}

const isInFiles = (sandbox: AnswerableSandbox): sandbox is FileSandbox => sandbox.questions === undefined

/** The questions in the files of a sandbox, even if it has a store. */
export const storeOverFiles = (
  { files, stateFolder, sweepAfterMs }: FileSandbox,
  clock: Clock,
): HostQuestions => createFileHostStore({ files, stateFolder, sweepAfterMs, clock })

/** If there is a run record, its process counts: a run that was started again adopts the open question. */
export async function hasRunEnded(
  sandbox: FileSandbox,
  record: Pick<QuestionRecord, 'runId' | 'process' | 'place'>,
): Promise<boolean> {
  if (await isInCopy(record, sandbox)) return true
  const { detached } = sandbox
  const run =
    detached && isRunId(record.runId)
      ? await latestRecord(sandbox, record.runId).catch(orWhenRefused(null))
      : null
  return detached && run?.process ? !(await isRunning(detached, run)) : hasAskerEnded(record)
}
