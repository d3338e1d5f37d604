import { resolve } from 'node:path'
import type { OnWarning } from '@sandagent/core'
import {
  backgroundClock,
  type Clock,
  checkOptions,
  createMutex,
  isFileFault,
  isSettled,
  type OptionNames,
  parseQuestionRecord,
  type QuestionRecord,
  systemClock,
  warningOf,
} from '@sandagent/core/internal'
import type { Candidates, StoredQuestion, StoredText, WatchedQuestions } from '@sandagent/core/store'
import { type OwnerOf, offeredTo } from '../disk/access.ts'
import { createOwnedFiles } from '../disk/local-files.ts'
import { makeIfPossible } from '../disk/make-folder.ts'
import { below } from '../lib/disk-calls.ts'
import { ownProcessHandle } from '../lib/process-handle.ts'
import { watchDirectory } from '../watch/directory-watch.ts'
import { answerFileNames, findAnswer } from './answers/find-answer.ts'
import { questionRecordPath } from './file-paths.ts'
import { ignoreForGit } from './git-ignore.ts'
import { unwritable, versionOf, writeRecordFile } from './records/record-files.ts'
import { createRecordKeeper, type KeptQuestion } from './records/record-keeper.ts'
import { type StateFolderOption, stateFolders } from './state-folders.ts'
import { type SweepOption, sweepAtTimes } from './sweep.ts'

export interface FileRunnerStoreOptions extends StateFolderOption, SweepOption {
  /** The sandbox's working directory, as the runner sees it. */
  workdir: string
  /** Called for unreadable files and refused watches. */
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<FileRunnerStoreOptions> = {
  workdir: 'folder',
  stateFolder: true,
  sweepAfterMs: true,
  onWarning: 'function',
  clock: 'clock',
}

/** The runner's half of the store over files. Its records have one writer. */
export function createFileRunnerStore(options: FileRunnerStoreOptions): WatchedQuestions {
  checkOptions('createFileRunnerStore', options, NAMES)
  const { workdir, stateFolder, sweepAfterMs, onWarning = () => {}, clock = systemClock } = options
  const root = resolve(workdir)
  const folders = stateFolders({ stateFolder })
  // A program in a container is often root, and the host outside is not.
  const ownerOf: OwnerOf = () => offeredTo(below(root, folders.state), root)
  // Most answers are missing when their runner looks.
  const files = createOwnedFiles(root, ownerOf, true)
  /** Called before the watch begins, so that the folder is watched from the start. Only the host may be able to make it. */
  const makeApprovalsFolder = () => makeIfPossible(root, folders.approvals, ownerOf)
  const makeQuestionsFolder = () => makeIfPossible(root, folders.questions, ownerOf)
  /** The folder of the questions, as records name it. */
  let here: string | undefined
  let ignored: Promise<void> | undefined
  /** A record is written and mended one after the other: an open record must not replace a closing one. */
  const inTurn = createMutex()

  const lookWhere = async (): Promise<void> => {
    here = (await files.place?.(folders.questions)) ?? here
  }

  /** The record, and whether its place is free. A file that holds no question may be replaced. */
  const look = async (toolCallId: string): Promise<{ record: StoredText | null; isFree: boolean }> => {
    try {
      const text = await files.read(questionRecordPath(toolCallId, { stateFolder }))
      return { record: text === null ? null : { text, version: versionOf(text) }, isFree: text === null }
    } catch (error) {
      if (!isFileFault(error)) throw unwritable(error)
      onWarning(warningOf(error, toolCallId))
      return { record: null, isFree: false }
    }
  }

  const publish = (record: QuestionRecord, isNew: boolean): Promise<StoredText | null> => {
    const placed = here === undefined ? record : { ...record, place: here }
    const path = questionRecordPath(record.toolCallId, { stateFolder })
    return writeRecordFile(files, path, placed, { isNew })
  }

  /** Writes a record again that is gone. One that is there, from a copy of the folder, is told where it is now. */
  const mend = async ({ toolCallId, recordOf }: KeptQuestion, isGone: boolean): Promise<void> => {
    if (isGone) await makeQuestionsFolder()
    await lookWhere()
    const ours = recordOf(toolCallId)
    if (!ours || isSettled(ours) || (!isGone && ours.place === here)) return
    const { record, isFree } = await look(toolCallId)
    const there = record ? readable(record.text, toolCallId) : undefined
    if (isFree ? !isGone : !there) return
    const isOurs = there?.nonce === ours.nonce && there.process === ours.process && !isSettled(there)
    if (there && (!isOurs || there.place === here)) return
    const isMended = await publish(there ?? ours, isFree)
    await makeApprovalsFolder()
    // Another process that waits may have been faster.
    if (isFree && isMended) onWarning({ code: 'LOST_RECORD', message: lostRecord(folders.state), toolCallId })
  }

  const keep = createRecordKeeper({
    root,
    folder: folders.questions,
    mend: (question, isGone) => inTurn(question.toolCallId, () => mend(question, isGone)),
    onWarning,
    clock: clock === systemClock ? backgroundClock : clock,
  })

  const readOne = async (
    toolCallId: string,
    { recordOf, accept, onWarning: warn }: Candidates,
  ): Promise<StoredQuestion> => {
    const ours = recordOf?.(toolCallId)
    const { record } = ours ? { record: null } : await look(toolCallId)
    if (!accept) return { toolCallId, record, answer: null, isUnread: true }
    const asked = ours ?? (record && readable(record.text, toolCallId))
    const answer = await findAnswer(files, folders.approvals, { toolCallId, record: asked }, accept)
    if (answer.warning) warn?.(answer.warning)
    const stored: StoredQuestion = { toolCallId, record, answer: null, accepted: answer.answerFile }
    if (answer.isUnknown) stored.isUnread = true
    return stored
  }

  return {
    async asker() {
      const asker: Pick<QuestionRecord, 'process' | 'place'> = {}
      const handle = await ownProcessHandle()
      await lookWhere()
      if (here === undefined) {
        await makeQuestionsFolder()
        await lookWhere()
      }
      ignored ??= ignoreForGit(files, folders.state)
      await ignored
      if (here !== undefined) asker.place = here
      if (handle !== undefined) asker.process = handle
      return asker
    },

    read: (toolCallIds, candidates = {}) =>
      Promise.all(toolCallIds.map((toolCallId) => readOne(toolCallId, candidates))),

    writeRecord: (toolCallId, text, { expected, facts }) =>
      inTurn(toolCallId, async () => {
        const given = JSON.parse(text) as QuestionRecord
        // Only one writer creates a record, so nobody need look for another one before.
        let record = expected === null ? await publish(given, true) : null
        if (!record) {
          const { record: before, isFree } = await look(toolCallId)
          if ((before?.version ?? null) !== expected) return null
          record = await publish(given, isFree)
        }
        if (!record) return null
        if (expected === null) void sweepAtTimes('questions', { files, folders, clock, sweepAfterMs })
        if (!facts.isSettled) await makeApprovalsFolder()
        return { toolCallId, record, answer: null, isUnread: true }
      }),

    watch(watcher, recordOf) {
      const { toolCallId } = watcher
      const names = answerFileNames({ toolCallId, record: recordOf(toolCallId) ?? null })
      const stopWatching = watchDirectory(below(root, folders.approvals), names, watcher, clock)
      const stopKeeping = keep({ toolCallId, recordOf })
      return () => {
        stopKeeping()
        stopWatching()
      }
    },
  }
}

function readable(text: string, toolCallId: string): QuestionRecord | null {
  try {
    return parseQuestionRecord(text, toolCallId)
  } catch (error) {
    warningOf(error)
    return null
  }
}

const lostRecord = (stateFolder: string): string =>
  `The record of this question was gone, and is there again. Keep ${stateFolder} out of what removes files, such as git clean -x`
