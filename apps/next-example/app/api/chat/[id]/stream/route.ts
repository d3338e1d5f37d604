import { listRuns, RUN_STREAM_HEADERS, streamRun } from '@sandagent/sdk'
import { sandboxOf } from '../../../../../lib/sandbox.ts'
import { currentUser } from '../../../../../lib/session.ts'

/** Answers `useChat({ resume: true })`: a page that was reloaded goes on with the run that is still there. */
export async function GET(): Promise<Response> {
  const user = await currentUser()
  if (user === null) return new Response('Open the page first', { status: 401 })
  const sandbox = sandboxOf(user)
  const run = (await listRuns(sandbox)).findLast(({ state }) => state === 'running')
  if (!run) return new Response(null, { status: 204 })
  return new Response(await streamRun(sandbox, run.runId), { headers: RUN_STREAM_HEADERS })
}
