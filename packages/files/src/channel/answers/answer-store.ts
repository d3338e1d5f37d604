// Why it is so: docs/decisions/0011-the-first-final-answer-wins.md

import { randomUUID } from 'node:crypto'
import type { OnWarning } from '@sandagent/core'
import {
  type AnswerFile,
  AskError,
  answerFileText,
  createMutex,
  errorCode,
  isFileFault,
  MAX_FILE_BYTES,
  mayChange,
  type QuestionRecord,
  unreachable,
  warningOf,
} from '@sandagent/core/internal'
import type { SandboxFiles, WriteOptions } from '../../disk/sandbox-files.ts'
import { fileOfEntry, revisionClaimName } from '../file-paths.ts'
import { type QuestionFile, questionFileOf } from '../question-file.ts'
import { versionOf } from '../records/record-files.ts'
import {
  type AnswersTo,
  answersTo,
  type FinalClaim,
  type JudgeOptions,
  type StoredAnswerFile,
} from './answers-to.ts'
import { KEPT_REVISIONS, LAST_REVISIONS, removeRevisions } from './revisions.ts'

/** By which record answers count, and who learns of files that cannot be read. */
export interface ClaimOptions extends Pick<JudgeOptions, 'record' | 'accept'> {
  warn: OnWarning
}

/** The answer file that counts, and whether publishing it failed. */
export interface FoundAnswerFile extends StoredAnswerFile {
  unpublished?: true
}

/** The answer files of a sandbox, as its host keeps them. */
export interface AnswerStore {
  /**
   * Reads the answer file that is accepted for `record`, or any answer file if no question is recorded. A file that is no
   * answer file, or is for another tool call, is a warning and `null`. A final one is published if it is not.
   *
   * @throws the system's error: a file that cannot be read may be an answer.
   */
  read(file: QuestionFile, options: ClaimOptions): Promise<FoundAnswerFile | null>
  /**
   * Stores an answer file, see `QuestionStore.writeAnswer`.
   *
   * @returns the text of the file; `null` if another answer is there than the expected one
   */
  write(
    answerFile: AnswerFile & { toolCallId: string },
    options: ClaimOptions & { expected: string | null },
  ): Promise<string | null>
}

/** All that is there for a question. */
interface Looked {
  final: FinalClaim
  /** The answer file that counts. */
  found: StoredAnswerFile | null
  /** Whether `NAME.json` shows it. */
  isShown: boolean
}

/** Of how many questions it is remembered that they had no answer: a channel may live long, and most are only looked at. */
const MOST_UNANSWERED = 100

/** Shared by all channels of this process: hosts make a channel per request. */
const inTurn = createMutex()

/**
 * Several host processes may share the folder, so answer files are compared and swapped. A host claims what follows the
 * revision that it has read, and a final answer is claimed as such, too: only one host can do that. Then it writes `NAME.json`.
 * What is claimed counts, whatever `NAME.json` shows: a slow host may put an older one there, and then puts it right. A crash
 * leaves no lock behind: each claim has the text, and a host that finds it can publish it. The names are in
 * `docs/reference/files.md`.
 *
 * @param questions the folder of the questions: the user of a question's file must be able to read the answer to it
 */
export function createAnswerStore(files: SandboxFiles, folder: string, questions?: string): AnswerStore {
  const place = files.id ?? randomUUID()

  const answersOf = (file: QuestionFile, { warn, ...options }: ClaimOptions): AnswersTo =>
    answersTo(files, folder, file, {
      ...options,
      mayPublish: true,
      onFault(error, isClaim) {
        // A claim that cannot be opened may be another host's: nothing is stored beside it.
        if (!isFileFault(error) || (isClaim && errorCode(error) !== 'INVALID_FILE')) throw error
        warn(warningOf(error, file.toolCallId))
      },
    })

  const look = async (answers: AnswersTo): Promise<Looked> => {
    const final = await answers.finalClaim()
    const shown = await answers.shown()
    const found = final.first ?? (await answers.latest(shown))
    return { final, found, isShown: found?.text === shown?.text }
  }

  /** Writes `NAME.json`, with claims. `false` if one of them is taken. */
  const creates = async (entry: string, text: string, options: WriteOptions): Promise<boolean> => {
    const reader = questions && `${questions}/${fileOfEntry(entry)}`
    try {
      await files.writeAtomic(`${folder}/${entry}`, text, { ...options, reader })
      return true
    } catch (error) {
      if (error instanceof AskError && error.code === 'CONFLICT') return false
      throw error
    }
  }

  /** Shows what counts, and claims a final answer if nobody has. `false` if another one was claimed meanwhile. */
  const publish = (
    { fileName }: QuestionFile,
    { text, answerFile }: StoredAnswerFile,
    { first, name }: FinalClaim,
  ): Promise<boolean> => creates(fileName, text, first || mayChange(answerFile) ? {} : { claim: name })

  /** What was found where a question had no answer. */
  const unanswered = new Map<string, Looked>()
  const keyOf = ({ fileName }: QuestionFile, record: QuestionRecord | null): string | null =>
    record && JSON.stringify([fileName, record.nonce])

  const noteLook = (key: string | null, looked: Looked): void => {
    if (unanswered.size >= MOST_UNANSWERED) unanswered.clear()
    // A file that does not count is looked at again.
    if (key !== null && !looked.found && looked.isShown) unanswered.set(key, looked)
  }

  /**
   * What is there before a write. What was just read to admit an answer is not looked for again: another host may write after
   * each look, and then it has the claim. Without a record, a draft claims nothing.
   */
  const lookBefore = (answers: AnswersTo, key: string | null, expected: string | null) => {
    const before = key === null ? undefined : unanswered.get(key)
    if (key !== null) unanswered.delete(key)
    return (expected === null && before) || look(answers)
  }

  const read: AnswerStore['read'] = async (file, options) => {
    const looked = await look(answersOf(file, options))
    noteLook(keyOf(file, options.record), looked)
    const { final, found, isShown } = looked
    if (!found || isShown || mayChange(found.answerFile)) return found
    try {
      return (await publish(file, found, final)) ? found : read(file, options)
    } catch (error) {
      // The claim counts even if it cannot be published now. The next read tries again.
      options.warn(warningOf(error, file.toolCallId))
      return { ...found, unpublished: true }
    }
  }

  /**
   * Publishes the latest answer file, and returns it. A slower host may put an older one there at any moment: it does the same
   * then.
   *
   * @param claimed was claimed, and perhaps never published
   */
  const publishLatest = async (
    file: QuestionFile,
    answers: AnswersTo,
    claimed?: StoredAnswerFile | null,
  ): Promise<StoredAnswerFile | null> => {
    for (;;) {
      const { final, found, isShown } = await look(answers)
      const latest = found ?? claimed
      if (!latest || (found && isShown)) return found
      await publish(file, latest, final)
    }
  }

  const put = async (
    answerFile: AnswerFile & { toolCallId: string },
    text: string,
    { expected, ...options }: ClaimOptions & { expected: string | null },
  ): Promise<boolean> => {
    const file = questionFileOf(answerFile.toolCallId)
    const { fileName } = file
    const answers = answersOf(file, options)
    const { final, found } = await lookBefore(answers, keyOf(file, options.record), expected)
    const before = found?.answerFile
    if ((before && !mayChange(before)) || (found && versionOf(found.text)) !== expected) return false
    const isFinal = !mayChange(answerFile)
    const claim = isFinal ? final.name : undefined
    const number = (before?.revision ?? 0) + 1
    const nonce = options.record?.nonce
    const revision = nonce === undefined ? undefined : revisionClaimName(fileName, nonce, number)
    let isWritten =
      revision !== undefined && number > KEPT_REVISIONS
        ? (await isFirst(revision, text, { number, answers })) && (await creates(fileName, text, { claim }))
        : await creates(fileName, text, { revision, claim })
    // Another host was first, and may have stopped before it could publish its answer.
    const taken = isWritten || !revision ? undefined : await answers.revision(number)
    // A claim that no host made is passed over.
    if (taken === null) isWritten = await creates(fileName, text, { claim })
    const latest = isWritten && isFinal ? null : await publishLatest(file, answers, taken)
    if (!isWritten || (latest && !mayChange(latest.answerFile))) return false
    if (nonce !== undefined) await removeRevisions({ files, folder, fileName, nonce }, { number, isFinal })
    return true
  }

  /**
   * Claims a late revision alone. Its claim may have been removed, so that the same name can be claimed twice. It counts only
   * if none is so far behind it that it can have been removed. Those that are nearer were stored after it.
   */
  const isFirst = async (
    revision: string,
    text: string,
    { number, answers }: { number: number; answers: AnswersTo },
  ): Promise<boolean> => {
    if (!(await creates(revision, text, { exclusive: true }))) return false
    const later = await answers.lastRevision(number)
    if (!later || (later.answerFile.revision ?? 0) < number + LAST_REVISIONS) return true
    await files.remove?.(`${folder}/${revision}`)
    return false
  }

  return {
    read,
    write: (answerFile, options) =>
      inTurn(JSON.stringify([place, answerFile.toolCallId]), async () => {
        const { toolCallId } = answerFile
        const text = answerFileText(answerFile)
        if (Buffer.byteLength(text) > MAX_FILE_BYTES)
          throw new AskError('TOO_LARGE', `This answer file is longer than ${MAX_FILE_BYTES} bytes`, {
            facts: { toolCallId },
          })
        try {
          return (await put(answerFile, text, options)) ? text : null
        } catch (error) {
          throw unreachable('This answer cannot be stored', error)
        }
      }),
  }
}
