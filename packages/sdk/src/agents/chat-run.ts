import { AskError, digestOf, sleep, systemClock } from '@sandagent/core/internal'
import { channelOf } from '../answers/sandbox-channel.ts'
import { attemptPaths } from '../run-records/run-paths.ts'
import { listRuns, type Run } from '../runs/run.ts'
import { readEnding } from '../runs/run-log.ts'
import type { RunRequest } from '../runs/start/run-request.ts'
import { type StartOptions, startRun } from '../runs/start/start-run.ts'
import type { LocalSandbox } from '../sandbox/local-sandbox.ts'

/** The runs in a chat of this owner, oldest first, and the one that goes on. */
export async function runsInChat(
  sandbox: LocalSandbox,
  chat: string,
  owner: string | undefined,
): Promise<{ runs: Run[]; running: Run | undefined }> {
  const runs = (await listRuns(sandbox)).filter((run) => run.metadata.chat === chat && run.owner === owner)
  return { runs, running: runs.findLast(({ state }) => state === 'running') }
}

/** Whether all that a run says is in its log, though its process has not ended yet. */
const isLogged = async (sandbox: LocalSandbox, { runId, attempt }: Run): Promise<boolean> =>
  (await readEnding(sandbox.files, attemptPaths(sandbox, runId, attempt).stream)) !== null

/** How often the start or the end of another run is looked for, in milliseconds, and how many times. */
const LOOK_MS = 100
const MOST_LOOKS = 100

/**
 * Starts the agent of a chat. Requests that say the same at once, such as a double click, share one run: its id follows from
 * the run before it, and only one of them can claim it. A program that crashed goes on when the request for it is sent again.
 *
 * @throws AskError `CONFLICT` if an agent works on something else in this chat, and errors of `startRun`
 */
export async function startInChat(
  sandbox: LocalSandbox,
  chat: string,
  request: RunRequest,
  options: Pick<StartOptions, 'onEnd'>,
): Promise<Run> {
  const { owner, prompt } = request
  for (let looks = 1; ; looks++) {
    // Before the runs: whoever asks in between has one.
    const asked = await channelOf(sandbox).questions()
    const { runs, running } = await runsInChat(sandbox, chat, owner)
    if (running?.prompt === prompt) return running
    const isEnding = running !== undefined && (await isLogged(sandbox, running))
    if (running && (!isEnding || looks === MOST_LOOKS)) {
      const what = 'An agent still works in this chat. Answer its question, or wait until it has ended'
      throw new AskError('CONFLICT', what, { facts: { runId: running.runId } })
    }
    if (isEnding) {
      await sleep(systemClock, LOOK_MS)
      continue
    }
    const last = runs.at(-1)
    // A program asks under the same ids again, and gets the answers that are there. Other agents ask anew.
    const goesOn = request.agent === 'command' && last?.state === 'crashed' && last.prompt === prompt
    let runId = last?.runId
    if (!goesOn) {
      // A run that was removed may have left questions, which another run with its id would take over.
      const taken = new Set([...asked, ...runs].map((one) => one.runId))
      do runId = `run-${digestOf([chat, owner, runId]).slice(0, 16)}`
      while (taken.has(runId))
    }
    try {
      return await startRun(sandbox, { ...request, runId, metadata: { chat } }, options)
    } catch (error) {
      const isClaimed = error instanceof AskError && error.code === 'CONFLICT'
      if (!isClaimed || looks === MOST_LOOKS) throw error
    }
    await sleep(systemClock, LOOK_MS)
  }
}
