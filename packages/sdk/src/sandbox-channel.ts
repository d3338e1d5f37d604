import { AskError, type Clock, type HostChannel, systemClock } from '@sandagent/core'
import { createFileHostChannel } from '@sandagent/files'
import { isRunId } from './runs/run-paths.ts'
import { latestRecord } from './runs/run-records.ts'
import type { AnswerableSandbox } from './sandbox.ts'
import { authenticatorOf } from './signing/authenticate.ts'
import type { SigningKeys } from './signing/signing-keys.ts'
import type { OnWarning } from './warnings.ts'

export interface HostOptions {
  /** What tells this host's own answers. Default: its own keys, if it has any; `null` for none. */
  keys?: SigningKeys | null | undefined
  /** Hears of what is wrong in the sandbox's files. */
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

/**
 * The host's end of a sandbox's questions. Of runs that were started here it knows, too, whether they are still there,
 * and which approvals are not of this host.
 */
export const channelOf = (
  sandbox: AnswerableSandbox,
  { keys, onWarning, clock = systemClock }: HostOptions = {},
): HostChannel =>
  createFileHostChannel({
    files: sandbox.files,
    hasRunEnded: (runId) => hasRunEnded(sandbox, runId),
    authenticate: authenticatorOf(sandbox, { keys, clock }),
    ...(onWarning && { onWarning }),
    clock,
  })

async function hasRunEnded({ files, detached }: AnswerableSandbox, runId: string): Promise<boolean> {
  if (!detached || !isRunId(runId)) return false
  try {
    const run = await latestRecord(files, runId)
    return run !== null && !(await detached.isRunning(run.process))
  } catch (error) {
    // A record that cannot be read tells nothing; the question is as open as ever.
    if (error instanceof AskError) return false
    throw error
  }
}
