import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, resolve } from 'node:path'
import {
  AskError,
  type AskedQuestion,
  type AskSession,
  type Attachment,
  attachmentFault,
  attachmentName,
  filesTaken,
  type GivenResponse,
  mediaTypeOf,
  printableLine,
  responseTo,
  typeByName,
} from '@sandagent/core/internal'
import type { RunSandbox } from '@sandagent/sdk'
import { type AnswerableSandbox, isInside, storeAttachment } from '@sandagent/sdk/internal'

/** A path of a command line, which may begin with `~`. */
export const pathOf = (text: string): string => resolve(text.replace(/^~(?=$|[/\\])/, () => homedir()))

/** A path as it is typed in a form, or dropped on the terminal: in quotes, or with a backslash before each space. */
export function typedPath(typed: string, isWindows: boolean = process.platform === 'win32'): string {
  const text = typed.trim()
  const quoted = /^(["'])(.+)\1$/.exec(text)?.[2]
  return pathOf(quoted ?? (isWindows ? text : text.replace(/\\(.)/g, '$1')))
}

/** The question that files are for. */
interface FileTaker {
  toolCallId: string
  question: AskedQuestion
}

/**
 * Stores files of this machine for a question. None is stored before all were looked at. The same bytes are given once, under
 * the first name.
 *
 * @throws AskError `INVALID_REQUEST` for too many; what {@link giveFile} throws
 */
export async function giveFiles(
  sandbox: AnswerableSandbox,
  taker: FileTaker,
  named: readonly string[],
): Promise<Attachment[]> {
  const paths = [...new Set(named)]
  const { max } = filesTaken(taker.question) ?? { max: 0 }
  if (max > 0 && paths.length > max)
    throw refused(`This question takes ${countOf(max)}, not ${paths.length}. Give fewer`)
  for (const path of paths) await withFile(sandbox, taker, path, async () => {})
  const given = new Map<string, Attachment>()
  for (const path of paths) {
    const file = await giveFile(sandbox, taker, path)
    given.set(file.sha256, given.get(file.sha256) ?? file)
  }
  return [...given.values()]
}

const countOf = (max: number): string => (max === 1 ? 'one file' : `${max} files`)

/**
 * Stores a file of this machine for a question.
 *
 * @throws AskError `INVALID_REQUEST` for what is no file that can be read; what `storeAttachment` throws
 */
export const giveFile = (sandbox: AnswerableSandbox, taker: FileTaker, path: string): Promise<Attachment> =>
  withFile(sandbox, taker, path, async (file, mediaType) => {
    const stored = await storeAttachment(sandbox, { ...taker, mediaType, bytes: bytesOf(file, path) })
    return { name: attachmentName(basename(path)), ...stored }
  })

async function* bytesOf(file: FileHandle, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file.createReadStream({ autoClose: false, start: 0 })
  } catch (cause) {
    failUnread(path, cause as NodeJS.ErrnoException)
  }
}

/** Opens a file, looks at it, and uses it. */
async function withFile<T>(
  sandbox: AnswerableSandbox,
  { question }: FileTaker,
  path: string,
  use: (file: FileHandle, mediaType: string) => Promise<T>,
): Promise<T> {
  const unread = (cause: NodeJS.ErrnoException): never => failUnread(path, cause)
  refuseOther(path, await stat(path).catch(unread))
  // A pipe that has taken its place since would be waited for.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(unread)
  try {
    const opened = await file.stat()
    refuseOther(path, opened)
    await refuseOutside(sandbox, path, opened)
    const claimed = typeByName(basename(path))
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0).catch(unread)
    const mediaType = mediaTypeOf(buffer.subarray(0, bytesRead), claimed)
    const expected = attachmentFault(question, { mediaType, size: opened.size })
    if (expected !== null) {
      const isLarge = attachmentFault(question, { mediaType, size: 0 }) === null
      const message = `${path} cannot be given here: expected ${expected}`
      throw new AskError(isLarge ? 'TOO_LARGE' : 'INVALID_ANSWERS', message)
    }
    return await use(file, claimed)
  } finally {
    await file.close()
  }
}

function refuseOther(path: string, stats: Stats): void {
  if (stats.isDirectory()) throw refused(`${path} is a folder. Give a file of it, or pack it into one file`)
  if (!stats.isFile()) throw refused(`${path} is a device or a pipe. Write what it holds into a file first`)
}

/** An agent can put a link into its workdir that leads to a secret of the person who gives the file. */
async function refuseOutside(sandbox: AnswerableSandbox, path: string, opened: Stats): Promise<void> {
  const { workdir } = sandbox as Partial<RunSandbox>
  if (workdir === undefined || !isInside(resolve(workdir), path)) return
  const [place, real] = await Promise.all([realpath(workdir), realpath(path)])
  const { dev, ino } = await stat(real)
  if (isInside(place, real) && dev === opened.dev && ino === opened.ino) return
  throw refused(`${path} is a link that leads out of the folder of the agent. To give ${real}, name it`)
}

const refused = (message: string, cause?: unknown): AskError =>
  new AskError('INVALID_REQUEST', message, { cause })

function failUnread(path: string, cause: NodeJS.ErrnoException): never {
  const { code = '' } = cause
  if (['ENOENT', 'ENOTDIR'].includes(code)) throw refused(`There is no file ${path}. Correct its path`, cause)
  const advice = ['EACCES', 'EPERM'].includes(code) ? 'Let this user read it' : 'Copy it, and give the copy'
  throw refused(`${path} cannot be read (${code || cause.message}). ${advice}`, cause)
}

const NO_FILES = 'This question takes no files.'

/** The files that were entered for a question. */
export function filesIn(session: Pick<AskSession, 'getSnapshot'>, question: AskedQuestion): Attachment[] {
  const response: Partial<GivenResponse> | { skipped: true } =
    responseTo(session.getSnapshot().entered, question) ?? {}
  return 'skipped' in response ? [] : (response.files ?? [])
}

/** Takes all files of a question away. Returns what keeps it from that, or `null`. */
export function takeFilesAway(session: AskSession, question: AskedQuestion): string | null {
  if (question.files === undefined) return NO_FILES
  session.enter(question.id, { files: [] })
  return null
}

/**
 * Stores a file by its typed path, and enters it.
 *
 * @returns what keeps it from being given; `null` once it is entered
 */
export async function attachFile(
  session: AskSession,
  sandbox: AnswerableSandbox,
  question: AskedQuestion,
  typed: string,
): Promise<string | null> {
  const { max } = filesTaken(question) ?? { max: 0 }
  if (max === 0) return NO_FILES
  const tooMany = `This question takes ${countOf(max)}. Take one away first.`
  if (filesIn(session, question).length >= max) return tooMany
  const { toolCallId } = session.getSnapshot()
  try {
    const file = await giveFile(sandbox, { toolCallId, question }, typedPath(typed))
    const before = filesIn(session, question)
    if (before.some(({ sha256 }) => sha256 === file.sha256)) return 'This file is there already.'
    session.enter(question.id, { files: [...before, file] })
    return null
  } catch (error) {
    return `${printableLine((error as Error).message, 500)}.`
  }
}
