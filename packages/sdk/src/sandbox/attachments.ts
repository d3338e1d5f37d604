// Why it is so: docs/decisions/0115-an-answer-names-its-files.md

import { createHash, randomUUID } from 'node:crypto'
import {
  AskError,
  type AskedQuestion,
  ATTACHMENT_FILE,
  ATTACHMENT_LIMITS,
  type Attachment,
  attachmentFault,
  attachmentFileName,
  fileNameOf,
  invalid,
  mediaTypeOf,
  type QuestionView,
  type Responses,
  sizeText,
} from '@sandagent/core/internal'
import { type RunFiles, stateFolders } from '@sandagent/files/internal'
import pLimit from 'p-limit'
import type { AnswerableSandbox } from './sandbox.ts'

/** How much of a file is in memory at once. */
const PIECE_BYTES = 262_144

/** A sandbox with as many files, or with as many bytes in them, takes no more until they are swept. */
const MOST_FILES = 1_000
const MOST_BYTES = 1_073_741_824

/** The files are counted so many at a time. */
const AT_ONCE = 16

type ByteFiles = Required<Pick<RunFiles, 'writeAt' | 'rename' | 'stat' | 'readFrom' | 'remove' | 'list'>>

/** What a sandbox needs to take files. Without it, nobody is offered to give one. */
function byteFiles({ files }: AnswerableSandbox): ByteFiles | null {
  const all: Partial<RunFiles> = files ?? {}
  return all.writeAt && all.rename && all.stat && all.readFrom && all.remove ? (all as ByteFiles) : null
}

/** Whether a person can give files to questions of this sandbox. */
export const takesFiles = (sandbox: AnswerableSandbox): boolean => byteFiles(sandbox) !== null

function filesOf(sandbox: AnswerableSandbox): { files: ByteFiles; folder: string } {
  const files = byteFiles(sandbox)
  if (files) return { files, folder: stateFolders(sandbox).attachments }
  throw new AskError('INVALID_REQUEST', 'The questions of this sandbox take no files. Answer in words')
}

/** What a person gives: its bytes as they come, and what the client says of them. */
export interface GivenFile {
  toolCallId: string
  question: AskedQuestion
  mediaType: string
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * Refuses files whose answer would be refused. Ask before any of them is stored.
 *
 * @param view the question, as the giver sees it
 * @throws AskError `NOT_ALLOWED`; `GONE` for a question that is not open
 */
export function refuseGiver(view: QuestionView): void {
  const facts = { question: view }
  if (view.mayAnswer === false)
    throw new AskError('NOT_ALLOWED', 'Only people who may answer this question can give files', { facts })
  if (view.state !== 'open') throw new AskError('GONE', 'This question takes no files any more', { facts })
}

/**
 * Stores the bytes of a file, once, before an answer names them.
 *
 * @throws AskError `TOO_LARGE` beyond the limits of the question or of the sandbox; `INVALID_ANSWERS` for a type that the question does not
 *   take; `INVALID_REQUEST` where no files are taken; `UNREACHABLE`; what `bytes` throws
 */
export async function storeAttachment(
  sandbox: AnswerableSandbox,
  { toolCallId, question, mediaType: claimed, bytes }: GivenFile,
): Promise<Omit<Attachment, 'name'>> {
  const { files, folder } = filesOf(sandbox)
  await refuseFull(files, folder)
  const temporary = `${folder}/.${randomUUID()}.tmp`
  const reader = `${stateFolders(sandbox).questions}/${fileNameOf(toolCallId)}`
  const most = question.files?.maxBytes ?? ATTACHMENT_LIMITS.bytes
  const hash = createHash('sha256')
  let head = new Uint8Array()
  let size = 0
  try {
    for await (const piece of piecesOf(bytes)) {
      if (size + piece.length > most) throw tooLarge(most)
      if (size === 0) head = piece.slice(0, 64)
      hash.update(piece)
      await files.writeAt(temporary, piece, size, { reader })
      size += piece.length
    }
    if (size === 0) await files.writeAt(temporary, new Uint8Array(), 0, { reader })
    const file = { mediaType: mediaTypeOf(head, claimed), size, sha256: hash.digest('hex') }
    const expected = attachmentFault(question, file)
    if (expected !== null) throw misfit([{ path: 'file', expected }])
    await files.rename(temporary, attachmentFileName(file))
    return file
  } catch (error) {
    await files.remove(temporary).catch(() => {}) // It is swept with what other writers left.
    throw error
  }
}

/** Joins small pieces and cuts large ones. */
async function* piecesOf(bytes: GivenFile['bytes']): AsyncGenerator<Uint8Array> {
  let kept: Uint8Array[] = []
  let length = 0
  for await (const given of bytes)
    for (let at = 0; at < given.length; ) {
      const piece = given.subarray(at, at + PIECE_BYTES - length)
      kept.push(piece)
      length += piece.length
      at += piece.length
      if (length < PIECE_BYTES) continue
      yield Buffer.concat(kept)
      kept = []
      length = 0
    }
  if (length > 0) yield Buffer.concat(kept)
}

async function refuseFull(files: ByteFiles, folder: string): Promise<void> {
  const names = (await files.list(folder)).filter((name) => ATTACHMENT_FILE.test(name))
  const stats =
    names.length < MOST_FILES && (await pLimit(AT_ONCE).map(names, (name) => files.stat(`${folder}/${name}`)))
  if (stats && stats.reduce((sum, found) => sum + (found?.size ?? 0), 0) < MOST_BYTES) return
  throw new AskError(
    'TOO_LARGE',
    'This sandbox has no room for more files. Answer in words, or remove old questions and the files of their answers',
  )
}

const tooLarge = (most: number): AskError =>
  new AskError('TOO_LARGE', `A file for this question may have ${sizeText(most, 'en')}. Give a smaller one`)

const misfit = (faults: { path: string; expected: string }[]): AskError =>
  invalid('INVALID_ANSWERS', 'This file cannot be given here', faults)

/**
 * Refuses responses that name files which are not there.
 *
 * @throws AskError `INVALID_ANSWERS`
 */
export async function checkAttachments(
  sandbox: AnswerableSandbox,
  responses: Readonly<Responses>,
): Promise<void> {
  const named = Object.entries(responses).flatMap(([id, response]) =>
    ('files' in response ? (response.files ?? []) : []).map((file, index) => ({
      file,
      path: `responses.${id}.files.${index}`,
    })),
  )
  if (named.length === 0) return
  const { files, folder } = filesOf(sandbox)
  const missing: { path: string; expected: string }[] = []
  for (const { file, path } of named) {
    const found = await files.stat(`${folder}/${attachmentFileName(file)}`)
    if (found?.size !== file.size)
      missing.push({ path, expected: 'a file that was sent to this host before' })
  }
  if (missing.length > 0) throw misfit(missing)
}

/**
 * The bytes of a file that an answer names, in pieces; `null` if they are gone or others. They are read twice, because nobody may see others.
 */
export async function readAttachment(
  sandbox: AnswerableSandbox,
  file: Omit<Attachment, 'name'>,
): Promise<AsyncGenerator<Uint8Array> | null> {
  const { files, folder } = filesOf(sandbox)
  const path = `${folder}/${attachmentFileName(file)}`
  if ((await files.stat(path))?.size !== file.size) return null
  const hash = createHash('sha256')
  for await (const piece of pieces(files, path, file.size)) hash.update(piece)
  return hash.digest('hex') === file.sha256 ? pieces(files, path, file.size) : null
}

async function* pieces(files: ByteFiles, path: string, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const piece = await files.readFrom(path, at, Math.min(PIECE_BYTES, size - at))
    if (!piece || piece.length === 0) return
    yield piece
    at += piece.length
  }
}
