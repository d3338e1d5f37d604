import { join, resolve } from 'node:path'
import type { OnWarning } from '@sandagent/core'
import {
  type AnswerFile,
  AskError,
  adoptedBy,
  backgroundClock,
  type Clock,
  checkOptions,
  closeRecord,
  createMutex,
  isAccountedFor,
  isFinal,
  isSameQuestion,
  isSettled,
  type OpenRecord,
  type OptionNames,
  type QuestionRecord,
  type ReadOptions,
  type RunnerChannel,
  systemClock,
  withReceipt,
} from '@sandagent/core/internal'
import { type AnswerSource, type FoundAnswer, SubscribedAnswers } from '@sandagent/core/store'
import pLimit from 'p-limit'
import { createFolderMaker } from '../disk/folder-maker.ts'
import { isMissing } from '../disk/is-missing.ts'
import { createOwnedFiles } from '../disk/local-files.ts'
import { type OwnerOf, offeredTo } from '../disk/owner.ts'
import { ownProcessHandle } from '../lib/process-handle.ts'
import { addWatcher } from '../watch/directory-watch.ts'
import { answerFileNames, findAnswer } from './answers/find-answer.ts'
import { unboundAnswers } from './answers/unbound-answers.ts'
import { ignoreForGit } from './git-ignore.ts'
import { createRecordFiles } from './record-files.ts'
import { createRecordKeeper } from './record-keeper.ts'
import { type StateFolderOption, stateFolders } from './state-folders.ts'
import { checkSweepAfter, type SweepOption, sweepAtTimes } from './sweep.ts'

/** More than are written at once: some are prepared while the disk is busy with others. Thousands may be asked together. */
const publishing = pLimit(64)

export interface FileRunnerChannelOptions extends StateFolderOption, SweepOption {
  /** The sandbox's working directory, as the runner sees it. */
  workdir: string
  /** Called for unreadable files and refused watches, once for each state of a wait. */
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<FileRunnerChannelOptions> = {
  workdir: true,
  stateFolder: true,
  sweepAfterMs: true,
  onWarning: true,
  clock: true,
}

/**
 * The runner's end over files: it writes `questions/NAME.json` in the state folder and reads
 * `approvals/NAME.json` there, where it never writes.
 */
export function createFileRunnerChannel(options: FileRunnerChannelOptions): RunnerChannel {
  checkOptions('createFileRunnerChannel', options, NAMES)
  checkSweepAfter(options)
  const { workdir, stateFolder, sweepAfterMs, onWarning = () => {}, clock = systemClock } = options
  const root = resolve(workdir)
  const place = { stateFolder }
  const { state, approvals, questions } = stateFolders(place)
  // A program in a container is often root, and the host outside is not.
  const ownerOf: OwnerOf = () => offeredTo([join(root, state), root])
  const files = createOwnedFiles(root, ownerOf)
  /** Called before the watch begins, so that the folder is watched from the start. Only the host may be able to make it. */
  const makeApprovalsFolder = createFolderMaker(root, approvals, ownerOf)
  const makeQuestionsFolder = createFolderMaker(root, questions, ownerOf)
  const records = createRecordFiles(files, place, onWarning)
  let ignored: Promise<void> | undefined
  /** The open questions of this process. */
  const known = new Map<string, QuestionRecord>()

  /** A question is closed, settled and mended one after the other: an open record must not replace a closing one. */
  const inTurn = createMutex()

  const keeper = createRecordKeeper({
    root,
    files,
    folders: stateFolders(place),
    records,
    known,
    inTurn,
    async makeFolders() {
      await makeQuestionsFolder()
      await makeApprovalsFolder()
    },
    onWarning,
    clock: clock === systemClock ? backgroundClock : clock,
  })

  /** The record that this process knows counts, even if the file was changed. */
  const recordInForce = async (toolCallId: string): Promise<QuestionRecord> => {
    const record = known.get(toolCallId) ?? (await records.read(toolCallId))
    if (record) return record
    throw new AskError('NOT_FOUND', 'This question was never asked. Call open before close and settle', {
      facts: { toolCallId },
    })
  }

  const find = (toolCallId: string, options?: ReadOptions): Promise<FoundAnswer> =>
    findAnswer(files, approvals, { toolCallId, record: known.get(toolCallId) }, options)

  const read = async (toolCallId: string, options?: ReadOptions): Promise<AnswerFile | null> => {
    const { answerFile, warning, isUnknown } = await find(toolCallId, options)
    if (isUnknown && !(answerFile && isFinal(answerFile)))
      throw new AskError(
        'UNREACHABLE',
        `The answer cannot be read (${warning?.code}). ${warning?.message ?? ''}`.trim(),
        {
          facts: { toolCallId },
        },
      )
    if (!answerFile && warning) onWarning(warning)
    return answerFile
  }

  /** The agent may have written the record: a receipt counts only if the host's folder has the answer to it. */
  const isBelievable = async (found: QuestionRecord): Promise<boolean> =>
    !isSettled(found) || isAccountedFor(found, await read(found.toolCallId))

  const unbound = (toolCallId: string): Promise<string[]> =>
    unboundAnswers(files, approvals, toolCallId, (path) => isMissing(root, path))

  /**
   * Asks a new question. Answers that were there before its record was visible were given to other questions. The record
   * has most of them from the start, so that none counts after a crash.
   */
  const askNew = async (record: OpenRecord): Promise<OpenRecord> => {
    const passedOver = await unbound(record.toolCallId)
    const isNoted = JSON.stringify(passedOver) === JSON.stringify(record.passedOver ?? [])
    const asked = isNoted ? record : { ...record, passedOver }
    if (!isNoted) await records.publish(asked)
    known.set(record.toolCallId, asked)
    return asked
  }

  const source: AnswerSource = {
    find,
    namesOf(toolCallId) {
      const { claims, published } = answerFileNames({ toolCallId, record: known.get(toolCallId) })
      return claims.concat(published)
    },
    watch(watcher) {
      const stopWatching = addWatcher(join(root, approvals), watcher, clock)
      const stopKeeping = keeper.keep(watcher.toolCallId)
      return () => {
        stopKeeping()
        stopWatching()
      }
    },
    onWarning,
  }

  /** Completes a record and publishes it. Returns it with the record that counts. */
  const publishNew = async (
    given: OpenRecord,
    asker: string | undefined,
  ): Promise<{ record: OpenRecord; found: QuestionRecord }> => {
    const passedOver = await unbound(given.toolCallId)
    await makeQuestionsFolder()
    ignored ??= ignoreForGit(root, state, ownerOf)
    await ignored
    const here = await files.place?.(questions)
    // Not a spread: V8 would give each record a hidden class of its own, and thousands may wait.
    const record: OpenRecord = Object.assign(
      {},
      given,
      asker !== undefined && { process: asker },
      here !== undefined && { place: here },
      passedOver.length > 0 && { passedOver },
    )
    return { record, found: await records.createOrAdopt(record) }
  }

  return {
    async open(given, { mayAdopt = isBelievable } = {}) {
      const asker = await ownProcessHandle()
      const { record, found } = await publishing(() => publishNew(given, asker))
      void sweepAtTimes('questions', { files, folders: stateFolders(place), clock, sweepAfterMs })
      await makeApprovalsFolder()
      if (found === record) return askNew(record)
      if (!isSameQuestion(found, record))
        throw new AskError(
          'CONFLICT',
          'This tool call id is taken by other questions. Use a new id for each call',
          {
            facts: { toolCallId: record.toolCallId },
          },
        )
      known.set(record.toolCallId, found)
      if (!(await mayAdopt(found))) {
        await records.publish(record)
        return askNew(record)
      }
      if (isSettled(found)) {
        known.delete(record.toolCallId)
        return found
      }
      const adopted = adoptedBy(found, record)
      if (adopted !== found) await records.publish(adopted)
      known.set(record.toolCallId, adopted)
      return adopted
    },

    read,

    subscribe: (toolCallId, options) => new SubscribedAnswers(source, toolCallId, options),

    close: (toolCallId, reason) =>
      inTurn(toolCallId, async () => {
        const record = await recordInForce(toolCallId)
        if (isSettled(record))
          throw new AskError(
            'CONFLICT',
            'This question has ended already, so it cannot be closed. Read its receipt',
            { facts: { toolCallId } },
          )
        if (record.state === 'closing') return record
        const closing = closeRecord(record, reason)
        await records.publish(closing)
        known.set(toolCallId, closing)
        return closing
      }),

    settle: (toolCallId, receipt) =>
      inTurn(toolCallId, async () => {
        const record = await recordInForce(toolCallId)
        const settled = withReceipt(record, receipt)
        await records.publish(settled)
        known.delete(toolCallId)
        return settled
      }),
  }
}
