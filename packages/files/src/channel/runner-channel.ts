import type { OnWarning } from '@sandagent/core'
import {
  type Clock,
  checkOptions,
  type OptionNames,
  type RunnerChannel,
  systemClock,
} from '@sandagent/core/internal'
import { createWatchedChannel } from '@sandagent/core/store'
import pLimit from 'p-limit'
import { realPath } from '../watch/directory-watch.ts'
import { attachedFile } from './attachments/attached-file.ts'
import { createFileRunnerStore } from './runner-store.ts'
import { type StateFolderOption, stateFolders } from './state-folders.ts'
import { checkSweepAfter, type SweepOption } from './sweep.ts'

export interface FileRunnerChannelOptions extends StateFolderOption, SweepOption {
  /** The sandbox's working directory, as the runner sees it. */
  workdir: string
  /** Called for unreadable files and refused watches, once for each state of a wait. */
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

/** How many questions are opened at once. The others cost nothing yet, and the disk works for the first ones meanwhile. */
const opening = pLimit(64)

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
  const channel = createWatchedChannel(createFileRunnerStore({ ...place, onWarning, clock }), { onWarning })
  const { attachments } = stateFolders(options)
  return {
    ...channel,
    open: (...of) => opening(() => channel.open(...of)),
    fileAt: (file) => attachedFile(realPath(options.workdir), attachments, file),
  }
}
