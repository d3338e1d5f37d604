import type { OnWarning } from '@sandagent/core'
import {
  type Clock,
  checkOptions,
  type OptionNames,
  type RunnerChannel,
  systemClock,
} from '@sandagent/core/internal'
import { createWatchedChannel } from '@sandagent/core/store'
import { createFileRunnerStore } from './runner-store.ts'
import type { StateFolderOption } from './state-folders.ts'
import { checkSweepAfter, type SweepOption } from './sweep.ts'

export interface FileRunnerChannelOptions extends StateFolderOption, SweepOption {
  /** The sandbox's working directory, as the runner sees it. */
  workdir: string
  /** Called for unreadable files and refused watches, once for each state of a wait. */
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<FileRunnerChannelOptions> = {
  workdir: 'folder',
  stateFolder: true,
  sweepAfterMs: true,
  onWarning: 'function',
  clock: 'clock',
}

/**
 * The runner's end over files: it writes `questions/NAME.json` in the state folder and reads
 * `approvals/NAME.json` there, where it never writes.
 */
export function createFileRunnerChannel(options: FileRunnerChannelOptions): RunnerChannel {
  checkOptions('createFileRunnerChannel', options, NAMES)
  checkSweepAfter(options)
  const { onWarning = () => {}, clock = systemClock, ...place } = options
  return createWatchedChannel(createFileRunnerStore({ ...place, onWarning, clock }), { onWarning })
}
