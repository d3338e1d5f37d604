import { randomBytes } from 'node:crypto'
import { invalid } from '@sandagent/core/internal'
import { type StateFolderOption, stateFolders } from '@sandagent/files/internal'

const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/

/** What a run id may be, in words. */
export const RUN_ID_RULE = 'up to 100 letters, digits, - and _'

export const newRunId = (): string => `run-${randomBytes(8).toString('hex')}`

/** Whether a text can name a run: letters, digits, `-` and `_`, up to 100 of them, no sign first. */
export const isRunId = (text: string): boolean => RUN_ID.test(text)

/**
 * The folder of a run, relative to the workdir: the only way from an id to a path.
 *
 * @throws AskError `INVALID_REQUEST` when the text is no run id.
 */
export function runFolder(place: StateFolderOption, runId: string): string {
  if (!isRunId(runId))
    throw invalid('INVALID_REQUEST', 'This is no run', [{ path: 'runId', expected: RUN_ID_RULE }])
  return `${stateFolders(place).runs}/${runId}`
}

/** What belongs to one start of a run, numbered from 1: each has a folder of its own, so that no log has two writers. */
export interface AttemptPaths {
  folder: string
  /** Who starts it: see `claimStart`. It comes before the folder. */
  claim: string
  /** What was started: see `RunRecord`. */
  record: string
  /** The UI stream that the runner prints. */
  stream: string
  /** What the runner complains about. */
  errors: string
  /** How the process ended: see `ExitRecord`. */
  exit: string
  /** That somebody stopped it: see `StopRecord`. */
  stop: string
}

export function attemptPaths(place: StateFolderOption, runId: string, attempt: number): AttemptPaths {
  const folder = `${runFolder(place, runId)}/${attempt}`
  return {
    folder,
    claim: `${folder}.json`,
    record: `${folder}/run.json`,
    stream: `${folder}/stream.sse`,
    errors: `${folder}/stderr.log`,
    exit: `${folder}/exit.json`,
    stop: `${folder}/stop.json`,
  }
}
