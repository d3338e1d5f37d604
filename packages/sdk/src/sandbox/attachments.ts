// Why it is so: docs/decisions/0115-an-answer-names-its-files.md

import { createHash } from 'node:crypto'
import {
  AskError,
  type AskedQuestion,
  ATTACHMENT_LIMITS,
  type Attachment,
  attachmentFault,
  attachmentFileName,
  bytesOf,
  type ChannelWarning,
  FILE_ROOM,
  filesIn,
  inPieces,
  invalid,
  lossWarning,
  mediaTypeOf,
  type QuestionView,
  type Responses,
  sizeText,
} from '@sandagent/core/internal'
import type { StoredFiles } from '@sandagent/core/store'
import { answerFiles, copyFile } from '@sandagent/files/internal'
import type { AnswerableSandbox } from './sandbox.ts'

type Place = Pick<AnswerableSandbox, 'questions' | 'files' | 'stateFolder'>

/** Where a sandbox keeps the files of people: in its store, or else in its own files. `null`: it takes none. */
const filesOf = ({ questions, files, stateFolder }: Place): StoredFiles | null =>
  takesBytes(questions) ? questions : files ? answerFiles({ files, stateFolder }) : null

const takesBytes = (store: Partial<StoredFiles> | undefined): store is StoredFiles =>
  store?.writeFile !== undefined && store.readFile !== undefined

/** Whether a person can give files to questions of this sandbox. */
export const takesFiles = (sandbox: AnswerableSandbox): boolean => filesOf(sandbox) !== null

function storeOf(sandbox: AnswerableSandbox): StoredFiles {
  const files = filesOf(sandbox)
  if (files) return files
  throw new AskError('INVALID_REQUEST', 'The questions of this sandbox take no files. Answer in words')
}

/** What is stored of a file: any name may be given to it. */
type StoredAttachment = Omit<Attachment, 'name'>

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
 * @throws AskError `TOO_LARGE` beyond the limits of the question or of the sandbox; `INVALID_ANSWERS` for a type that the
 *   question does not take; `INVALID_REQUEST` where no files are taken; `UNREACHABLE`; what `bytes` throws
 */
export async function storeAttachment(
  sandbox: AnswerableSandbox,
  { toolCallId, question, mediaType: claimed, bytes }: GivenFile,
): Promise<StoredAttachment> {
  const most = question.files?.maxBytes ?? ATTACHMENT_LIMITS.bytes
  const hash = createHash('sha256')
  let head = new Uint8Array()
  let size = 0
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of inPieces(bytes)) {
      if (size + piece.length > most) throw tooLarge(most)
      if (size === 0) head = piece.slice(0, 64)
      hash.update(piece)
      yield piece
      size += piece.length
    }
  }
  let file: StoredAttachment | undefined
  const nameOf = (): string => {
    file = { mediaType: mediaTypeOf(head, claimed), size, sha256: hash.digest('hex') }
    const expected = attachmentFault(question, file)
    if (expected !== null) throw misfit([{ path: 'file', expected }])
    return attachmentFileName(file)
  }
  await storeOf(sandbox).writeFile(toolCallId, counted(), nameOf, FILE_ROOM)
  return file as StoredAttachment
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
  toolCallId: string,
  responses: Readonly<Responses>,
): Promise<void> {
  const named = Object.entries(responses).flatMap(([id, response]) =>
    filesIn({ [id]: response }).map((file, index) => ({
      file,
      path: `responses.${id}.files.${index}`,
    })),
  )
  if (named.length === 0) return
  const store = storeOf(sandbox)
  const missing: { path: string; expected: string }[] = []
  for (const { file, path } of named)
    if (!(await isThere(store, toolCallId, file)))
      missing.push({ path, expected: 'a file that was sent to this host before' })
  if (missing.length > 0) throw misfit(missing)
}

/** Whether a file of this name and size is there. Nobody looks at its bytes. */
async function isThere(store: StoredFiles, toolCallId: string, file: StoredAttachment): Promise<boolean> {
  const end = await store.readFile(toolCallId, attachmentFileName(file), file.size)
  return end?.size === file.size
}

/**
 * The bytes of a file that an answer names, in pieces; `null` if they are gone or others. They are read twice, because nobody
 * may see others. Whoever changes them in between ends them early: each piece has to be the one that was checked.
 */
export async function readAttachment(
  sandbox: AnswerableSandbox,
  toolCallId: string,
  file: StoredAttachment,
): Promise<AsyncGenerator<Uint8Array> | null> {
  const store = storeOf(sandbox)
  if (!(await isThere(store, toolCallId, file))) return null
  const hash = createHash('sha256')
  const digests: string[] = []
  for await (const piece of pieces(store, toolCallId, file)) {
    hash.update(piece)
    digests.push(digestOf(piece))
  }
  return hash.digest('hex') === file.sha256 ? sameAs(digests, pieces(store, toolCallId, file)) : null
}

const pieces = (store: StoredFiles, toolCallId: string, file: StoredAttachment): AsyncGenerator<Uint8Array> =>
  inPieces(bytesOf(file.size, (at) => store.readFile(toolCallId, attachmentFileName(file), at)))

const digestOf = (piece: Uint8Array): string => createHash('sha256').update(piece).digest('base64')

async function* sameAs(
  digests: readonly string[],
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const piece of bytes) {
    if (digestOf(piece) !== digests[count++])
      throw new AskError('INVALID_FILE', 'This file was changed while it was read')
    yield piece
  }
}

/**
 * Brings files that answers to a call name to another place of its questions, unless they are there. What is gone, or was
 * changed by the agent, stays away: the answer counts without it.
 *
 * @returns what stayed away, as warnings
 * @throws AskError `UNREACHABLE`
 */
export async function copyAttachments(
  from: Place,
  to: Place,
  { toolCallId, files }: { toolCallId: string; files: readonly Attachment[] },
): Promise<ChannelWarning[]> {
  const [source, target] = [filesOf(from), filesOf(to)]
  const warnings: ChannelWarning[] = []
  if (!source || !target) return warnings
  for (const file of files) {
    if (await isThere(target, toolCallId, file)) continue
    const missing = await copyFile(source, target, toolCallId, file)
    if (missing) warnings.push(lossWarning(file.name, missing, toolCallId))
  }
  return warnings
}
