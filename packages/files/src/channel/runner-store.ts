import { join, resolve } from 'node:path'
import type { OnWarning } from '@sandagent/core'
import {
  backgroundClock,
  type ChannelWarning,
  type Clock,
  createMutex,
  errorCode,
  isFileFault,
  parseQuestionRecord,
  type QuestionRecord,
  systemClock,
  warningOf,
} from '@sandagent/core/internal'
import type {
  AnswerWatcher,
  Candidates,
  StoredQuestion,
  StoredText,
  WatchedQuestions,
} from '@sandagent/core/store'
import pLimit from 'p-limit'
import { createFolderMaker } from '../disk/folders/folder-maker.ts'
import { isMissing } from '../disk/is-missing.ts'
import { createOwnedFiles } from '../disk/local-files.ts'
import { type OwnerOf, offeredTo } from '../disk/owner.ts'
import { ownProcessHandle } from '../lib/process-handle.ts'
import { type Watcher, watchDirectory } from '../watch/directory-watch.ts'
import { answerFileNames, findAnswer } from './answers/find-answer.ts'
import { questionRecordPath } from './file-paths.ts'
import { ignoreForGit } from './git-ignore.ts'
import { createRecordFiles, versionOf, type WrittenRecord } from './records/record-files.ts'
import { createRecordKeeper } from './records/record-keeper.ts'
import { type StateFolderOption, stateFolders } from './state-folders.ts'
import { type SweepOption, sweepAtTimes } from './sweep.ts'

/** More than are written at once: some are prepared while the disk is busy with others. Thousands may be asked together. */
const publishing = pLimit(64)

export interface FileRunnerStoreOptions extends StateFolderOption, SweepOption {
  /** The sandbox's working directory, as the runner sees it. */
  workdir: string
  /** Called for unreadable files and refused watches. */
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

/** The runner's half of the store over files. Its records have one writer, which compares with what it wrote itself. */
export function createFileRunnerStore({
  workdir,
  stateFolder,
  sweepAfterMs,
  onWarning = () => {},
  clock = systemClock,
}: FileRunnerStoreOptions): WatchedQuestions {
  const root = resolve(workdir)
  const folders = stateFolders({ stateFolder })
  // A program in a container is often root, and the host outside is not.
  const ownerOf: OwnerOf = () => offeredTo([join(root, folders.state), root])
  const files = createOwnedFiles(root, ownerOf)
  /** Most answers are missing when a question is asked. To find that out takes a tenth of the time of reading. */
  const mostlyMissing: typeof files = {
    ...files,
    read: async (path) => ((await isMissing(root, path)) ? null : files.read(path)),
  }
  /** Called before the watch begins, so that the folder is watched from the start. Only the host may be able to make it. */
  const makeApprovalsFolder = createFolderMaker(root, folders.approvals, ownerOf)
  const makeQuestionsFolder = createFolderMaker(root, folders.questions, ownerOf)
  const records = createRecordFiles(files, { stateFolder })
  /** The unsettled records that this process wrote. */
  const written = new Map<string, Pick<WrittenRecord, 'version' | 'state'>>()
  /** The folder of the questions, as records name it. */
  let here: string | undefined
  /** The files that hold no question, and may be replaced. */
  const faulty = new Set<string>()
  let ignored: Promise<void> | undefined
  /** A record is written and mended one after the other: an open record must not replace a closing one. */
  const inTurn = createMutex()

  const keeper = createRecordKeeper({
    root,
    files,
    folders,
    records,
    written,
    inTurn,
    async makeFolders() {
      await makeQuestionsFolder()
      await makeApprovalsFolder()
    },
    onMoved(place) {
      here = place
    },
    onWarning,
    clock: clock === systemClock ? backgroundClock : clock,
  })

  const recordText = async (toolCallId: string): Promise<StoredText | null> => {
    faulty.delete(toolCallId)
    try {
      const text = await mostlyMissing.read(questionRecordPath(toolCallId, { stateFolder }))
      return text === null ? null : { text, version: versionOf(text) }
    } catch (error) {
      if (!isFileFault(error)) throw records.unwritable(error)
      onWarning(warningOf(error, toolCallId))
      faulty.add(toolCallId)
      return null
    }
  }

  const readOne = async (
    toolCallId: string,
    { recordOf, accept, onWarning: warn }: Candidates,
  ): Promise<StoredQuestion> => {
    const ours = recordOf?.(toolCallId)
    const record = ours ? null : await recordText(toolCallId)
    if (!accept) return { toolCallId, record, answer: null, isUnread: true }
    const asked = ours ?? (record ? readable(record.text, toolCallId) : undefined)
    const where = ours ? files : mostlyMissing
    const found = await findAnswer(where, folders.approvals, { toolCallId, record: asked }, accept)
    if (found.warning) warn?.(found.warning)
    const stored: StoredQuestion = { toolCallId, record, answer: null, accepted: found.answerFile }
    if (found.isUnknown) stored.isUnread = true
    return stored
  }

  return {
    async asker() {
      const asker: Pick<QuestionRecord, 'process' | 'place'> = {}
      const handle = await ownProcessHandle()
      await publishing(async () => {
        await makeQuestionsFolder()
        ignored ??= ignoreForGit(root, folders.state, ownerOf)
        await ignored
        here = (await files.place?.(folders.questions)) ?? here
        if (here !== undefined) asker.place = here
      })
      if (handle !== undefined) asker.process = handle
      return asker
    },

    read: (toolCallIds, candidates = {}) =>
      Promise.all(
        toolCallIds.map((toolCallId) =>
          candidates.recordOf
            ? readOne(toolCallId, candidates)
            : publishing(() => readOne(toolCallId, candidates)),
        ),
      ),

    writeRecord: (toolCallId, text, { expected, facts }) =>
      inTurn(toolCallId, async () => {
        const last = written.get(toolCallId)
        // Somebody may have changed or removed the file. What was just read there counts.
        const isOurs = last === undefined || last.version === expected
        if (!isOurs && ((await recordText(toolCallId))?.version ?? null) !== expected) return null
        const isNew = expected === null && !faulty.delete(toolCallId)
        try {
          const given = JSON.parse(text) as QuestionRecord
          const record = here === undefined ? given : { ...given, place: here }
          const { state, ...stored } = await publishing(() => records.publish(record, { exclusive: isNew }))
          if (facts.isSettled) written.delete(toolCallId)
          else written.set(toolCallId, { version: stored.version, state })
          if (expected === null) void sweepAtTimes('questions', { files, folders, clock, sweepAfterMs })
          await makeApprovalsFolder()
          return {
            toolCallId,
            record: stored,
            answer: null,
            isUnread: true,
          }
        } catch (error) {
          if (isNew && errorCode(error) === 'CONFLICT') return null
          throw error
        }
      }),

    watch(watcher, recordOf) {
      const { toolCallId } = watcher
      const { claims, published } = answerFileNames({ toolCallId, record: recordOf() })
      const stopWatching = watchDirectory(
        join(root, folders.approvals),
        new NamedWatcher(watcher, claims.concat(published)),
        clock,
      )
      const stopKeeping = keeper.keep(toolCallId, recordOf)
      return () => {
        stopKeeping()
        stopWatching()
      }
    },
  }
}

function readable(text: string, toolCallId: string): QuestionRecord | undefined {
  try {
    return parseQuestionRecord(text, toolCallId)
  } catch (error) {
    warningOf(error)
    return undefined
  }
}

/** A class, because thousands may wait, and functions of each take memory. */
class NamedWatcher implements Watcher {
  readonly names: readonly string[]
  readonly #watcher: AnswerWatcher

  constructor(watcher: AnswerWatcher, names: readonly string[]) {
    this.#watcher = watcher
    this.names = names
  }

  onChange(): void {
    this.#watcher.onChange()
  }

  onWarning(warning: ChannelWarning): void {
    this.#watcher.onWarning(warning)
  }
}
