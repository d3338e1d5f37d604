import { AskError, MAX_FILE_BYTES } from '@sandagent/core/internal'
import { attemptPaths } from '../../run-records/run-paths.ts'
import { latestRecord, type RunRecord } from '../../run-records/run-records.ts'
import { RUNNER } from '../../sandbox/installed-runner.ts'
import type { DetachedProgram } from '../../sandbox/programs/detached-programs.ts'
import type { RunSandbox } from '../../sandbox/sandbox.ts'
import { orConflict } from '../claim-start.ts'
import type { RunRequest } from './run-request.ts'
import { type RunTrust, runnerEnvironment } from './runner-environment.ts'

/** What is known of a run before its runner has a process. */
type RunFacts = Omit<RunRecord, 'process'>

/**
 * Enters the run in its fleet, writes the record, then starts the runner. Removes everything if that fails.
 *
 * @throws AskError `TOO_LARGE`; `CONFLICT` if another host has skipped this start; `NOT_FOUND` when there is no such runner.
 */
export async function launchRunner(
  sandbox: RunSandbox,
  facts: RunFacts,
  request: RunRequest,
  trust: RunTrust,
  enter: () => Promise<Record<string, string>>,
): Promise<{ record: RunRecord; ended: DetachedProgram['ended'] }> {
  const { files, detached } = sandbox
  const { runId, attempt } = facts
  const { record: path, stream, errors } = attemptPaths(sandbox, runId, attempt)
  let record: RunRecord | undefined
  const write = async (process: string): Promise<void> => {
    const written = { ...facts, process }
    await orConflict(runId, files.writeAtomic(path, JSON.stringify(written, null, 2), { exclusive: true }))
    record = written
  }
  try {
    if (Buffer.byteLength(JSON.stringify(facts)) > MAX_FILE_BYTES / 2)
      throw new AskError(
        'TOO_LARGE',
        `What this run is about takes more than ${MAX_FILE_BYTES / 2} bytes. Shorten its prompt, arguments and metadata`,
        { facts: { runId } },
      )
    const env = { ...request.env, ...(await enter()) }
    const { command, args, ...surroundings } = runnerOf(sandbox, facts, { ...request, env }, trust)
    const program = await detached
      .start(command, args, { ...surroundings, stdout: stream, stderr: errors, beforeStart: write })
      .catch((error: unknown) => {
        if (error instanceof AskError && error.code === 'NOT_FOUND' && command === RUNNER)
          throw new AskError('NOT_FOUND', RUNNER_MISSING, { cause: error })
        throw error
      })
    if (record) return { record, ended: program.ended }
    await detached.kill(program.handle)
    throw new TypeError(
      'The detached programs of this sandbox do not call beforeStart. Call it with the handle before the program begins',
    )
  } catch (error) {
    // After a conflict the place of the record is taken: another host has skipped this start.
    if (!(error instanceof AskError && error.code === 'CONFLICT')) await removeStart(sandbox, facts)
    throw error
  }
}

/** Removes a start that never begins. Whoever stopped it has stopped the start before. */
async function removeStart(sandbox: RunSandbox, { runId, attempt }: RunFacts): Promise<void> {
  const { files } = sandbox
  const { folder, claim, record, stop } = attemptPaths(sandbox, runId, attempt)
  // First the record: `stopRun` looks for it after it has written its stop.
  await files.remove(record)
  const text = await files.read(stop)
  const before = text === null ? null : await latestRecord(sandbox, runId, { before: attempt })
  if (before && text !== null)
    await files.writeAtomic(attemptPaths(sandbox, runId, before.attempt).stop, text)
  await files.remove(folder)
  await files.remove(claim)
}

const RUNNER_MISSING =
  'The sandagent command is neither installed beside the host nor on the PATH of the sandbox: npm install sandagent, or say where it is by `runner`'

function runnerOf(
  { workdir, stateFolder, sweepAfterMs, hostFolder }: RunSandbox,
  { runId, agent, args, prompt }: RunFacts,
  { runner: [command, ...before] = [RUNNER], env, passEnv, continues = [] }: RunRequest,
  trust: RunTrust,
) {
  const own = ['run', '--agent', agent, '--workdir', workdir, '--run-id', runId, '--format', 'stream']
  // Each in one word: a prompt that begins with a dash would be read as an option.
  const earlier = continues.map((earlierRun) => `--continues=${earlierRun}`)
  const state = stateFolder === undefined ? [] : [`--state-folder=${stateFolder}`]
  const sweep = sweepAfterMs === undefined ? [] : [`--sweep-after-ms=${sweepAfterMs || 'never'}`]
  return {
    command,
    args: [...before, ...own, ...state, ...sweep, ...earlier, `--prompt=${prompt}`, ...args],
    ...runnerEnvironment(agent, { env, passEnv, isHere: hostFolder !== undefined, ...trust }),
  }
}
