import { basename } from 'node:path/posix'
import type { OnWarning } from '@sandagent/core'
import {
  AskError,
  type Authenticate,
  type Clock,
  checkOptions,
  fileNameOf,
  type HostChannel,
  isExpectedRecord,
  judgeState,
  type OptionNames,
  type QuestionRecord,
  type QuestionState,
  systemClock,
  unreachable,
} from '@sandagent/core/internal'
import pLimit from 'p-limit'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import { isOtherPlace } from '../lib/place.ts'
import { hasProcessEnded } from '../lib/process-handle.ts'
import { createAnswerStore } from './answers/answer-store.ts'
import { presentAnswers } from './answers/present-answers.ts'
import type { AnswerTexts } from './answers/read-answer-text.ts'
import { listRecords, READS_AT_ONCE } from './list-records.ts'
import { fileOfEntry } from './paths.ts'
import { type QuestionFile, questionFileOf } from './question-file.ts'
import { readRecord, readState } from './question-state.ts'
import { type StateFolderOption, type StateFolders, stateFolders } from './state-folders.ts'
import { stateStamps } from './state-stamps.ts'
import { type StateSource, subscribeToStates } from './subscribe-to-states.ts'
import { checkSweepAfter, type SweepOption, sweepAtTimes } from './sweep.ts'

/** How many questions of older runners are listed: an agent can fill the folder where one works. */
const MOST_OLDER = 1000

type HasRunEnded = (record: QuestionRecord) => Promise<boolean>

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
  hasRunEnded?: HasRunEnded | undefined
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
  const { files, stateFolder, sweepAfterMs, onWarning = () => {}, clock = systemClock } = options
  const { hasRunEnded: hasEnded = hasAskerEnded, authenticate = async (answerFile) => answerFile } = options
  const folders = stateFolders({ stateFolder })
  const approvals = createAnswerStore(readableBy(files, folders), folders.approvals, {
    onWarning,
    authenticate,
  })

  /** The run that asks does not wait for answers in a copy of its folder. */
  const hasRunEnded: HasRunEnded = async (record) => (await isCopy(record)) || hasEnded(record)

  const isCopy = async ({ place }: QuestionRecord): Promise<boolean> => {
    const here = place === undefined ? undefined : await files.place?.(folders.questions)
    return place !== undefined && here !== undefined && isOtherPlace(place, here)
  }

  const judged = (state: QuestionState, warn: OnWarning, ended = hasRunEnded): Promise<QuestionState> =>
    judgeState(state, { hasRunEnded: ended, onWarning: warn })

  const read = async (file: QuestionFile, warn: OnWarning): Promise<QuestionState | null> => {
    const state = await readState(files, folders.questions, approvals, file, warn)
    return state && judged(state, warn)
  }

  const statesOf = async (records: readonly QuestionRecord[]): Promise<(QuestionState | AskError)[]> => {
    const mayHaveAnswer = await presentAnswers(files, folders.approvals, records.length)
    const ended = oncePerRun(hasRunEnded)
    const stateOf = async (record: QuestionRecord): Promise<QuestionState> => {
      const file = questionFileOf(record.toolCallId)
      const found = mayHaveAnswer(file.fileName) ? await approvals.read(file, record, onWarning) : null
      return judged({ toolCallId: record.toolCallId, record, ...found }, onWarning, ended)
    }
    return pLimit(READS_AT_ONCE).map(records, (record) =>
      reach(stateOf(record), UNREADABLE).catch((error: unknown) => {
        if (error instanceof AskError && error.code === 'UNREACHABLE') return error
        throw error
      }),
    )
  }

  const source = (toolCallId: string | undefined): StateSource => {
    const only = toolCallId === undefined ? null : fileNameOf(toolCallId)
    return {
      stamps: async () =>
        only === null
          ? stateStamps(files, [folders.questions, folders.approvals])
          : new Map([[only, undefined]]),
      read: (fileName, warn) => read({ fileName, toolCallId }, warn),
      watch(report) {
        const onChange = (entry: string | null): void => {
          const fileName = entry === null ? null : fileOfEntry(entry)
          if (entry === null) report(null)
          else if (fileName !== null && (only ?? fileName) === fileName) report(fileName)
        }
        const stops = [folders.questions, folders.approvals].map((folder) => files.watch?.(folder, onChange))
        return () => {
          for (const stop of stops) stop?.()
        }
      },
    }
  }

  /** Older runners store pending files among the answers, without a record. */
  const olderQuestions = async (): Promise<QuestionState[]> => {
    const [recorded, names] = await Promise.all([
      files.list(folders.questions).then((all) => new Set(all)),
      files.list(folders.approvals),
    ])
    const states: QuestionState[] = []
    const add = async (fileName: string): Promise<void> => {
      if (states.length >= MOST_OLDER) return
      const state = await read({ fileName }, onWarning)
      const isAsked = state?.answerFile?.status === 'pending' && state.answerFile.questions.length > 0
      if (state && isAsked && !state.record) states.push(state)
    }
    const older = names.filter((name) => fileOfEntry(name) === name && !recorded.has(name))
    await pLimit(READS_AT_ONCE).map(older, add)
    return states.slice(0, MOST_OLDER).sort((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1))
  }

  return {
    questions: ({ unsettled = false } = {}) =>
      reach(
        listRecords(files, folders.questions, { unsettled, onWarning, clock }),
        'The questions cannot be read',
      ),

    states: (records) => reach(statesOf(records), 'The questions cannot be read'),

    async read(toolCallId) {
      const all = async (): Promise<QuestionState> => {
        const state = await read(questionFileOf(toolCallId), onWarning)
        if (state) return state
        const nothingThere = !(await files.list(folders.state)).includes(basename(folders.questions))
        return { toolCallId, ...(nothingThere && { nothingThere }) }
      }
      return reach(all(), UNREADABLE)
    },

    olderQuestions: () => reach(olderQuestions(), 'The questions cannot be read'),

    async write(answerFile, { expectedRevision, expectedRecord }) {
      const asked = (): Promise<QuestionRecord | null> =>
        reach(readRecord(files, folders.questions, questionFileOf(answerFile.toolCallId)), UNREADABLE)
      const record = await asked()
      if (expectedRecord !== undefined && !isExpectedRecord(record, expectedRecord))
        throw new AskError('CONFLICT', 'Another question has taken the place of this one')
      await approvals.write(answerFile, { record, expectedRevision })
      void sweepAtTimes('approvals', { files, folders, clock, sweepAfterMs })
      return (await asked()) ?? undefined
    },

    persist: async () => reach(files.sync?.(folders.approvals), 'This answer cannot be stored'),

    subscribe: (signal, toolCallId) => subscribeToStates(source(toolCallId), { onWarning, clock }, signal),
  }
}

export const hasAskerEnded = async ({ process }: QuestionRecord): Promise<boolean> =>
  process !== undefined && hasProcessEnded(process)

/** Looks only once at each run and process: the questions of one list are mostly of few runs. */
function oncePerRun(hasRunEnded: HasRunEnded): HasRunEnded {
  const found = new Map<string, Promise<boolean>>()
  return (record) => {
    const run = JSON.stringify([record.runId, record.process, record.place])
    const hasEnded = found.get(run) ?? hasRunEnded(record)
    found.set(run, hasEnded)
    return hasEnded
  }
}

/** The files of a sandbox, whose answers the user of each question can read: host and runner may be different users. */
const readableBy = (files: AnswerTexts & SandboxFiles, { questions }: StateFolders): SandboxFiles => ({
  id: files.id,
  read: (path) => files.read(path),
  list: (folder) => files.list(folder),
  ...(files.readFrom && { readFrom: files.readFrom.bind(files) }),
  ...(files.remove && { remove: files.remove.bind(files) }),
  writeAtomic: (path, text, options) =>
    files.writeAtomic(path, text, { ...options, reader: `${questions}/${fileOfEntry(basename(path))}` }),
})

/** @throws AskError `UNREACHABLE` with `complaint` if the system, or a file, fails */
async function reach<T>(work: T | Promise<T>, complaint: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw unreachable(complaint, error)
  }
}

const UNREADABLE = 'This question cannot be read'
