import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What a bare store keeps of the promises of an answer, each in the cheapest way that Node has. */
export interface Kept {
  /** A slow disk does not stop the process: a thread waits for it. */
  inThreads: boolean
  /** Two answers cannot both come first, and a later draft replaces nothing. */
  claims: boolean
}

const UTF8 = new TextDecoder()

/** Opens a folder, and makes sure that no link led there. */
function openFolder(path: string): number {
  const opened = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)
  if (fs.readlinkSync(`/proc/self/fd/${opened}`) !== path) throw new Error(`A link leads to ${path}`)
  return opened
}

/** Reads a question, hashes what was asked, and looks for answers that came first. */
export function readQuestion(questions: string, answers: string, toolCallId: string): string {
  const [asked, answered] = [openFolder(questions), openFolder(answers)]
  const file = fs.openSync(`/proc/self/fd/${asked}/${toolCallId}.json`, fs.constants.O_NOFOLLOW)
  const bytes = Buffer.allocUnsafe(fs.fstatSync(file).size + 1)
  const text = UTF8.decode(bytes.subarray(0, fs.readSync(file, bytes, 0, bytes.length, 0)))
  for (const opened of [file, asked]) fs.closeSync(opened)
  for (const name of [`.${toolCallId}.final`, `${toolCallId}.json`])
    if (fs.existsSync(`/proc/self/fd/${answered}/${name}`)) throw new Error('Another answer came first')
  fs.closeSync(answered)
  return createHash('sha256')
    .update(JSON.stringify(JSON.parse(text)))
    .digest('hex')
}

/** A question that closes meanwhile is told from one that is open. */
export const lookAgain = (questions: string, toolCallId: string): unknown =>
  fs.lstatSync(join(questions, `${toolCallId}.json`))

const syncLater = promisify(fs.fsync)

/** As `durableWrite`. The folder may have other writers, each with another `writer`. */
export async function writeBare(
  folder: string,
  [toolCallId, text]: [string, string],
  { inThreads, claims }: Kept,
  writer = '',
): Promise<void> {
  const sync = inThreads ? syncLater : fs.fsyncSync
  const at = (name: string): string => join(folder, name)
  const temporary = at(`.writing${writer}`)
  const file = fs.openSync(temporary, 'w', 0o600)
  fs.writeSync(file, text)
  await sync(file)
  fs.closeSync(file)
  const names = claims ? [`.${toolCallId}.r1`, `.${toolCallId}.final`] : []
  for (const name of names) fs.linkSync(temporary, at(name))
  fs.renameSync(temporary, at(`${toolCallId}.json`))
  const directory = fs.openSync(folder, 'r')
  await sync(directory)
  fs.closeSync(directory)
  if (claims) fs.unlinkSync(at(`.${toolCallId}.r1`))
}
