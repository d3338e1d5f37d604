import { randomBytes } from 'node:crypto'
import { invalid } from '@sandagent/core/internal'
import { type StateFolderOption, stateFolders } from '@sandagent/files/internal'

const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/

export const RUN_ID_RULE = 'up to 100 letters, digits, - and _'

export const newRunId = (): string => `run-${randomBytes(8).toString('hex')}`

/** Whether a text is a run id: letters, digits, `-` and `_`, up to 100, beginning with a letter or digit. */
export const isRunId = (text: string): boolean => RUN_ID.test(text)

/** The folder of a run, relative to the workdir. @throws AskError `INVALID_REQUEST` when the text is no run id. */
export function runFolder(place: StateFolderOption, runId: string): string {
  if (!isRunId(runId))
    throw invalid('INVALID_REQUEST', 'This is no run', [{ path: 'runId', expected: RUN_ID_RULE }])
  return `${stateFolders(place).runs}/${runId}`
}

/** The files of one start of a run, numbered from 1. Each start has its own folder, so no log has two writers. */
export interface AttemptPaths {
  folder: string
  /** Says who starts the run: see `claimStart`. It exists before the folder does. */
  claim: string
  /** A `RunRecord`. */
  record: string
  /** The UI stream that the runner prints. */
  stream: string
  /** The runner's error output. */
  errors: string
  /** An `ExitRecord`. */
  exit: string
  /** A `StopRecord`. */
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
