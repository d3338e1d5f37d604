import { AskError, type Clock, type HostChannel, systemClock } from '@sandagent/core'
import { createFileHostChannel } from '@sandagent/files'
import { isRunId } from './runs/run-paths.ts'
import { latestRecord } from './runs/run-records.ts'
import type { AnswerableSandbox } from './sandbox.ts'
import { authenticatorOf } from './signing/authenticate.ts'
import type { SigningKeys } from './signing/signing-keys.ts'

/**
 * The host's end of a sandbox's questions. Of runs that were started here it knows, too, whether they are still there,
 * and which approvals are not of this host.
 *
 * @param keys `undefined` for those of this host, if it has any; `null` for none
 */
export const channelOf = (
  sandbox: AnswerableSandbox,
  clock: Clock = systemClock,
  keys?: SigningKeys | null,
): HostChannel =>
  createFileHostChannel({
    files: sandbox.files,
    hasRunEnded: (runId) => hasRunEnded(sandbox, runId),
    authenticate: authenticatorOf(sandbox, { keys, clock }),
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
