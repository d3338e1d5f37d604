import { type Clock, type HostChannel, type QuestionRecord, systemClock } from '@sandagent/core'
import { createFileHostChannel, hasAskerEnded } from '@sandagent/files/internal'
import { isRunId } from '../run-records/run-paths.ts'
import { latestRecord, orWhenUnreadable } from '../run-records/run-records.ts'
import { checkSandbox } from '../sandbox/check-sandbox.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { authenticatorOf } from '../signing/authenticate.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { OnWarning } from './warnings.ts'

export interface HostOptions {
  /** What tells this host's own answers. Default: its own signing keys, if it has any; `null` for none. */
  signingKeys?: SigningKeys | null | undefined
  /** Hears of what is wrong in the sandbox's files. */
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

/**
 * The host's end of a sandbox's questions. Of runs that were started here it knows, too, whether they are still there,
 * and which answer files are not of this host.
 *
 * @throws AskError `INVALID_REQUEST` for what is no sandbox.
 */
export const channelOf = (
  sandbox: AnswerableSandbox,
  { signingKeys, onWarning, clock = systemClock }: HostOptions = {},
): HostChannel => {
  checkSandbox(sandbox)
  return createFileHostChannel({
    files: sandbox.files,
    stateFolder: sandbox.stateFolder,
    hasRunEnded: (record) => hasRunEnded(sandbox, record),
    authenticate: authenticatorOf(sandbox, { signingKeys, clock }),
    onWarning,
    clock,
  })
}

/** The run's own record counts, where there is one: a run that was started again takes up what its last process asked. */
async function hasRunEnded(sandbox: AnswerableSandbox, record: QuestionRecord): Promise<boolean> {
  const { detached } = sandbox
  const run =
    detached && isRunId(record.runId)
      ? await latestRecord(sandbox, record.runId).catch(orWhenUnreadable(null))
      : null
  return detached && run?.process ? !(await detached.isRunning(run.process)) : hasAskerEnded(record)
}
