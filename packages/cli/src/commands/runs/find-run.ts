import type { Inbox, InboxRun } from '@sandagent/inbox'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { complain, notFound } from '../places/inbox-of.ts'

/** The run with an id, or else the latest. @throws AskError `NOT_FOUND`, `UNREACHABLE`, and `INVALID_REQUEST` for several */
export async function findRun(inbox: Inbox, runId: string | undefined, io: CliIo): Promise<InboxRun> {
  const { runs, unreachable } = await inbox.runs()
  complain(unreachable, io)
  const [found, second] = runId === undefined ? runs.slice(-1) : runs.filter(({ run }) => run.runId === runId)
  if (second) throw usage(`Several places have a run ${runId}. Name one of them by --workdir`)
  if (found) return found
  const hint = `There is no run${runId === undefined ? '' : ` ${runId}`}. List all runs by sandagent runs list`
  throw notFound('The run was not found', { unreachable, hint })
}
