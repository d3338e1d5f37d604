// Why it is so: docs/decisions/0011-the-first-final-answer-wins.md

import { randomUUID } from 'node:crypto'
import {
  type AnswerFile,
  AskError,
  answerFileText,
  createMutex,
  MAX_FILE_BYTES,
  mayChange,
  type QuestionRecord,
  unreachable,
} from '@sandagent/core/internal'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { revisionClaimName } from '../file-paths.ts'
import { type QuestionFile, questionFileOf } from '../question-file.ts'
import { versionOf } from '../records/record-files.ts'
import { type ClaimOptions, createClaims } from './claims.ts'
import { createPublishedAnswers, type FoundAnswerFile } from './published-answers.ts'
import { KEPT_REVISIONS, removeRevisions } from './revisions.ts'

/** The answer files of a sandbox, as its host keeps them. */
export interface AnswerStore {
  /**
   * Reads the answer file that is accepted for `record`, or any answer file if no question is recorded. A file that is no
   * answer file, or is for another tool call, is a warning and `null`.
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

/** Shared by all channels of this process: hosts make a channel per request. */
const inTurn = createMutex()

/**
 * Several host processes may share the folder, so answer files are compared and swapped. To store what follows revision N, a
 * host first claims it: it creates `.NAME~HASH.rM` exclusively, where M is N + 1. HASH is a hash of the question's nonce. Only
 * one host can do that. The others read again, and start with what this one has stored. Then the host writes `NAME.json`. The
 * latest claim counts, whatever `NAME.json` shows: a slow host may put an older one there, and then puts it right.
 *
 * A final answer is claimed as `.NAME.final`, too. This claim never changes, and ends the question for all hosts, also for older
 * ones. A tool call id may be used again, with a new nonce, once its question file is gone. The old claim stays, so the new
 * question has a claim of its own: `.NAME~HASH.final`. So does a question whose first claim is torn. All hosts agree on
 * when to use the second claim, because a claim never changes.
 *
 * A crash leaves no lock behind: each claim has the text, and a host that finds it can publish it.
 */
export function createAnswerStore(files: SandboxFiles, folder: string): AnswerStore {
  const place = files.id ?? randomUUID()
  const claims = createClaims(files, folder)
  const published = createPublishedAnswers(files, folder, claims)

  const store: AnswerStore['write'] = async (answerFile, options) => {
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
  }

  const put = async (
    answerFile: AnswerFile & { toolCallId: string },
    text: string,
    { expected, ...options }: ClaimOptions & { expected: string | null },
  ): Promise<boolean> => {
    const { record } = options
    const file = questionFileOf(answerFile.toolCallId)
    const { final, found } = await published.look(file, options)
    const before = found?.answerFile
    if ((before && !mayChange(before)) || (found && versionOf(found.text)) !== expected) return false
    const isFinal = !mayChange(answerFile)
    const number = (before?.revision ?? 0) + 1
    const write = (only: { revision?: string } = {}): Promise<boolean> =>
      isFinal
        ? published.publish(file, text, { final, ...only })
        : published.creates(file.fileName, text, only)
    const isWritten = record
      ? await follows(file, text, { ...options, record, number, write })
      : await write()
    const latest = isWritten && isFinal ? null : await published.publishLatest(file, options)
    if (!isWritten || (latest && !mayChange(latest.answerFile))) return false
    if (record) {
      const { nonce } = record
      await removeRevisions({ files, folder, fileName: file.fileName, nonce }, { number, isFinal })
    }
    return true
  }

  /** Claims what follows a revision, and writes it. `false` if another host was first. */
  const follows = async (
    file: QuestionFile,
    text: string,
    { number, write, ...options }: Following,
  ): Promise<boolean> => {
    const revision = revisionClaimName(file.fileName, options.record.nonce, number)
    const isWritten =
      number > KEPT_REVISIONS
        ? (await isLast(file, text, { revision, options })) && (await write())
        : await write({ revision })
    if (isWritten) return true
    const { first, isPassedOver } = await claims.revisionClaim(file, number, options)
    // A claim that no host made is passed over.
    if (isPassedOver) return write()
    // Its host may have stopped before it could publish it.
    if (first) await published.publishLatest(file, options, first)
    return false
  }

  /**
   * Claims a late revision alone. Its claim may have been removed, so that the same name can be claimed twice. It counts only if
   * none is behind it.
   */
  const isLast = async (
    file: QuestionFile,
    text: string,
    { revision, options }: { revision: string; options: ClaimOptions & { record: QuestionRecord } },
  ): Promise<boolean> => {
    if (!(await published.creates(revision, text, { exclusive: true }))) return false
    if ((await claims.latestOf(file, null, options))?.text === text) return true
    await files.remove?.(`${folder}/${revision}`)
    return false
  }

  return {
    read: published.read,
    write: (answerFile, options) =>
      inTurn(JSON.stringify([place, answerFile.toolCallId]), () => store(answerFile, options)),
  }
}

/** What is written after a revision. */
interface Following extends ClaimOptions {
  record: QuestionRecord
  number: number
  /** Writes the answer file, and claims the revision with it. `false` if it is claimed. */
  write: (only?: { revision: string }) => Promise<boolean>
}
