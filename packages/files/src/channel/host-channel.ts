import type { OnWarning } from '@sandagent/core'
import {
  type Authenticate,
  type Clock,
  checkOptions,
  type HostChannel,
  type OptionNames,
  type QuestionRecord,
  systemClock,
} from '@sandagent/core/internal'
import { createHostChannel } from '@sandagent/core/store'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import { isOtherPlace } from '../lib/place.ts'
import { hasProcessEnded } from '../lib/process-handle.ts'
import { createFileHostStore } from './host-store.ts'
import { type StateFolderOption, stateFolders } from './state-folders.ts'
import { checkSweepAfter, type SweepOption } from './sweep.ts'

export interface FileHostChannelOptions extends StateFolderOption, SweepOption {
  /** The sandbox's files, local or remote. */
  files: SandboxFiles
  /**
   * Called for unreadable files, and for receipts that tell of another answer than the stored one (`DISPUTED_RECEIPT`). A
   * subscription calls it once for each state.
   */
  onWarning?: OnWarning | undefined
  /**
   * Whether the run that asks has ended. A subscription calls it repeatedly for every open question. Default: whether the
   * process that asks has ended.
   */
  hasRunEnded?: ((record: QuestionRecord) => Promise<boolean>) | undefined
  /** Returns `null` for an answer file that the host did not sign. Default: all answer files count. */
  authenticate?: Authenticate | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<FileHostChannelOptions> = {
  files: true,
  stateFolder: true,
  sweepAfterMs: true,
  onWarning: 'function',
  hasRunEnded: 'function',
  authenticate: 'function',
  clock: 'clock',
}

/**
 * The host's end over files: it writes `approvals/NAME.json` in the state folder and reads
 * `questions/NAME.json` there, where it never writes. Several host processes may share a sandbox.
 */
export function createFileHostChannel(options: FileHostChannelOptions): HostChannel {
  checkOptions('createFileHostChannel', options, NAMES)
  checkSweepAfter(options)
  const { files, stateFolder, sweepAfterMs, onWarning, authenticate, clock = systemClock } = options
  const { hasRunEnded = hasAskerEnded } = options
  return createHostChannel(createFileHostStore({ files, stateFolder, sweepAfterMs, clock }), {
    onWarning,
    authenticate,
    clock,
    hasRunEnded: async (record) => (await isInCopy(record, options)) || hasRunEnded(record),
  })
}

/** Whether a question is in a copy of its folder. The run that asks does not wait for answers there. */
export async function isInCopy(
  { place }: Pick<QuestionRecord, 'place'>,
  { files, stateFolder }: Pick<FileHostChannelOptions, 'files' | 'stateFolder'>,
): Promise<boolean> {
  const here = place === undefined ? undefined : await files.place?.(stateFolders({ stateFolder }).questions)
  return place !== undefined && here !== undefined && isOtherPlace(place, here)
}

export const hasAskerEnded = async ({ process }: Pick<QuestionRecord, 'process'>): Promise<boolean> =>
  process !== undefined && hasProcessEnded(process)
