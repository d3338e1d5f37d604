import { basename } from 'node:path/posix'
import {
  AskError,
  type Clock,
  checkOptions,
  fileNameOf,
  type OnWarning,
  type OptionNames,
  parseAnswerFile,
  systemClock,
} from '@sandagent/core/internal'
import { type Candidates, type HostQuestions, listed, type StoredQuestion } from '@sandagent/core/store'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import { eachAtOnce } from '../lib/each-at-once.ts'
import { reach } from '../lib/reach.ts'
import { type ClaimOptions, createAnswerStore } from './answers/answer-store.ts'
import { presentAnswers } from './answers/present-answers.ts'
import { answerFiles } from './attachments/answer-files.ts'
import { fileOfEntry } from './file-paths.ts'
import { followFiles } from './follow-files.ts'
import { questionFileOf } from './question-file.ts'
import { listRecords, READS_AT_ONCE } from './records/list-records.ts'
import { type StateFolderOption, stateFolders } from './state-folders.ts'
import { readRecord, readStored, storedQuestion } from './stored-question.ts'
import { type SweepOption, sweepAtTimes } from './sweep.ts'

/** How many questions of older runners are listed: an agent can fill the folder where one works. */
const MOST_OLDER = 1000

export interface FileHostStoreOptions extends StateFolderOption, SweepOption {
  /** The sandbox's files, local or remote. */
  files: SandboxFiles
  clock?: Clock | undefined
}

const NAMES: OptionNames<FileHostStoreOptions> = {
  files: true,
  stateFolder: true,
  sweepAfterMs: true,
  clock: 'clock',
}

/** The host's half of the store over files. */
export function createFileHostStore(options: FileHostStoreOptions): HostQuestions {
  checkOptions('createFileHostStore', options, NAMES)
  const { files, stateFolder, sweepAfterMs, clock = systemClock } = options
  const folders = stateFolders({ stateFolder })
  const approvals = createAnswerStore(files, folders.approvals, folders.questions)
  const place = { files, questionsFolder: folders.questions, approvals }

  const readOne = async (toolCallId: string, candidates: Candidates): Promise<StoredQuestion> => {
    const stored = await readStored(place, questionFileOf(toolCallId), claimOptions(candidates))
    if (stored) return stored
    const isUnread = !(await files.list(folders.state)).includes(basename(folders.questions))
    return { ...NOTHING, toolCallId, ...(isUnread && { isUnread }) }
  }

  /** Older runners store pending files among the answers, without a record. */
  const withoutRecord = async (candidates: Candidates): Promise<StoredQuestion[]> => {
    const [recorded, names] = await Promise.all([
      files.list(folders.questions).then((all) => new Set(all)),
      files.list(folders.approvals),
    ])
    const found: StoredQuestion[] = []
    const add = async (fileName: string): Promise<void> => {
      if (found.length >= MOST_OLDER) return
      const stored = await readStored(place, { fileName }, claimOptions(candidates))
      const { accepted } = stored ?? {}
      const isAsked = accepted?.status === 'pending' && accepted.questions.length > 0
      if (stored && isAsked && !stored.record) found.push(stored)
    }
    const older = names.filter((name) => fileOfEntry(name) === name && !recorded.has(name))
    await eachAtOnce(older, READS_AT_ONCE, add)
    return found.slice(0, MOST_OLDER).sort((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1))
  }

  return {
    ...answerFiles({ files, stateFolder }),

    async read(toolCallIds, candidates = {}) {
      const { recordOf } = candidates
      const mayHaveAnswer = await reach(
        recordOf ? presentAnswers(files, folders.approvals, toolCallIds.length) : () => true,
        'The questions cannot be read',
      )
      const readIfAny = async (toolCallId: string): Promise<StoredQuestion> => {
        const isEmpty = recordOf?.(toolCallId) && !mayHaveAnswer(fileNameOf(toolCallId))
        if (isEmpty) return { ...NOTHING, toolCallId }
        return reach(readOne(toolCallId, candidates), UNREADABLE).catch((error: unknown) => {
          if (!(error instanceof AskError && error.code === 'UNREACHABLE')) throw error
          return { ...NOTHING, toolCallId, error }
        })
      }
      const found: StoredQuestion[] = []
      await eachAtOnce(toolCallIds.entries(), READS_AT_ONCE, async ([index, toolCallId]) => {
        found[index] = await readIfAny(toolCallId)
      })
      return found
    },

    async list({ unsettled = false, after, onWarning = () => {} } = {}) {
      const found = listRecords(files, folders.questions, { unsettled, onWarning, clock })
      const records = await reach(found, 'The questions cannot be read')
      return listed(records, after)
    },

    async writeAnswer(toolCallId, text, { expected, asked = null, answerFile: known, ...candidates }) {
      const file = questionFileOf(toolCallId)
      const recordNow = () => reach(readRecord(files, folders.questions, file), UNREADABLE)
      if ((await recordNow())?.version !== asked?.version) return null
      const record = asked?.record ?? null
      const answerFile = { ...(known ?? parseAnswerFile(text, toolCallId)), toolCallId }
      const options = { ...claimOptions(candidates), record, expected }
      const fileText = await approvals.write(answerFile, options)
      if (fileText === null) return null
      for (const folder of ['approvals', 'attachments'] as const)
        void sweepAtTimes(folder, { files, folders, clock, sweepAfterMs })
      const stored = storedQuestion(toolCallId, await recordNow(), { text: fileText, answerFile })
      return { ...stored, answer: stored.answer && { ...stored.answer, text } }
    },

    persist: async () => reach(files.sync?.(folders.approvals), 'This answer cannot be stored'),

    withoutRecord: (candidates) => reach(withoutRecord(candidates), 'The questions cannot be read'),

    subscribe(signal, { toolCallId, onWarning = () => {}, ...candidates } = {}) {
      const only = toolCallId === undefined ? undefined : fileNameOf(toolCallId)
      const read = (fileName: string, warn: OnWarning): Promise<StoredQuestion | null> =>
        readStored(place, { fileName, toolCallId }, claimOptions(candidates, warn))
      const inFolders = [folders.questions, folders.approvals]
      return followFiles({ files, folders: inFolders, only, read, onWarning, clock }, signal)
    },
  }
}

const NOTHING = { record: null, answer: null, accepted: null } as const

/** How claims are read. `warn` is for what one look finds. */
const claimOptions = (
  { recordOf, accept = async (answerFile) => answerFile, onWarning = () => {} }: Candidates,
  warn: OnWarning = onWarning,
): Pick<Candidates, 'recordOf'> & Omit<ClaimOptions, 'record'> => ({
  ...(recordOf && { recordOf }),
  accept,
  warn,
})

const UNREADABLE = 'This question cannot be read'
