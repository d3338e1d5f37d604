import { type Clock, type HostChannel, type QuestionRecord, systemClock } from '@sandagent/core'
import { createFileHostChannel, type FileHostChannelOptions, hasAskerEnded } from '@sandagent/files/internal'
import { isRunId } from '../run-records/run-paths.ts'
import { isRunning, latestRecord, orWhenUnreadable } from '../run-records/run-records.ts'
import { checkSandbox } from '../sandbox/check-sandbox.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { authenticatorOf } from '../signing/authenticate.ts'
import { loadSigningKeys } from '../signing/load-signing-keys.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { OnWarning } from './warnings.ts'

export interface HostOptions {
  /** Recognize this host's own answers. Default: its own signing keys, if it has any; `null` for none. */
  signingKeys?: SigningKeys | null | undefined
  /** Called for faults of the sandbox's files, see `AnswerHandlerOptions`. Default for lists: `console.error`. */
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

/** The host's channel of a sandbox, which knows the runs and the keys of this host. @throws AskError `INVALID_REQUEST` */
export const channelOf = (
  sandbox: AnswerableSandbox,
  { signingKeys, onWarning, clock = systemClock }: HostOptions = {},
): HostChannel => {
  checkSandbox(sandbox)
  const authenticate = authenticatorOf(sandbox, { signingKeys, clock })
  if (sandbox.ownChannel)
    return sandbox.ownChannel.create({
      publicKeys: async () =>
        (signingKeys === undefined ? await loadSigningKeys() : signingKeys)?.publicKeys ?? null,
      authenticate,
      onWarning: onWarning ?? (() => {}),
      clock,
    })
  return fileChannelOf(sandbox, { authenticate, onWarning, clock })
}

/** The host's channel over the files of a sandbox, even if it has one of its own. */
export const fileChannelOf = (
  sandbox: AnswerableSandbox,
  options: Pick<FileHostChannelOptions, 'authenticate' | 'onWarning' | 'clock'>,
): HostChannel =>
  createFileHostChannel({
    files: sandbox.files,
    stateFolder: sandbox.stateFolder,
    sweepAfterMs: sandbox.sweepAfterMs,
    hasRunEnded: (record) => hasRunEnded(sandbox, record),
    ...options,
  })

/** If there is a run record, its process counts: a run that was started again adopts the open question. */
async function hasRunEnded(sandbox: AnswerableSandbox, record: QuestionRecord): Promise<boolean> {
  const { detached } = sandbox
  const run =
    detached && isRunId(record.runId)
      ? await latestRecord(sandbox, record.runId).catch(orWhenUnreadable(null))
      : null
  return detached && run?.process ? !(await isRunning(detached, run)) : hasAskerEnded(record)
}
