import { appendFile, mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { createLocalFiles, fileOfEntry, readClaim, stateFolders } from '@sandagent/files/internal'
import type { RunSandbox } from '@sandagent/sdk/internal'
import { isRunId } from '@sandagent/sdk/internal'
import pLimit from 'p-limit'

/** Files are copied so many at a time. */
const AT_ONCE = 8

/** A sandbox with more than this is not parked: an agent could fill the host's disk. In bytes. */
const MOST_BYTES = 1024 * 1024 * 1024

/**
 * What the host keeps of a sandbox: its questions, answers and runs, under the same paths.
 *
 * @param folder of the copy, which exists; no agent can change it
 */
export function hostCopy(sandbox: RunSandbox, folder: string) {
  const { questions, approvals, runs } = stateFolders(sandbox)
  const copy = createLocalFiles(folder)
  let bytes = 0
  const count = (more: number): void => {
    bytes += more
    if (bytes > MOST_BYTES)
      throw new AskError(
        'TOO_LARGE',
        `The questions, answers and logs of this sandbox take more than ${MOST_BYTES} bytes, so it is not parked. Sweep them, or shorten the logs`,
      )
  }

  const fetchFolder = async (directory: string): Promise<void> => {
    const names = (await sandbox.files.list(directory)).filter((name) => fileOfEntry(name) !== null)
    await pLimit(AT_ONCE).map(names, async (name) => {
      const path = `${directory}/${name}`
      await fetchText(path, await readClaim(sandbox.files, path))
    })
    await removeOthers(directory, names)
  }

  const fetchRun = async (runId: string): Promise<void> => {
    const directory = `${runs}/${runId}`
    const entries = await sandbox.files.list(directory)
    const attempts = entries.filter((name) => /^[1-9]\d{0,8}$/.test(name))
    for (const name of entries)
      if (/^[1-9]\d{0,8}\.json$/.test(name)) await fetchSmall(`${directory}/${name}`)
    for (const attempt of attempts) {
      const of = `${directory}/${attempt}`
      // A new run under an old id has new logs.
      if (await differs(`${of}/run.json`)) await rm(join(folder, of), { recursive: true, force: true })
      for (const file of ['run.json', 'exit.json', 'stop.json']) await fetchSmall(`${of}/${file}`)
      for (const file of ['stream.sse', 'stderr.log']) await fetchLog(`${of}/${file}`)
    }
    await removeOthers(directory, entries)
  }

  const differs = async (path: string): Promise<boolean> =>
    (await sandbox.files.read(path)) !== (await copy.read(path))

  const fetchSmall = async (path: string): Promise<void> => fetchText(path, await sandbox.files.read(path))

  const fetchText = async (path: string, text: string | null): Promise<void> => {
    if (text === null) return
    count(Buffer.byteLength(text))
    if (text !== (await copy.read(path))) await copy.writeAtomic(path, text)
  }

  /** Logs only grow. */
  const fetchLog = async (path: string): Promise<void> => {
    const target = join(folder, path)
    let offset = (await sizeOf(target)) ?? 0
    count(offset)
    for (;;) {
      const piece = await sandbox.files.readFrom(path, offset)
      if (piece === null || piece.length === 0) return
      count(piece.length)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await appendFile(target, piece, { mode: 0o600 })
      offset += piece.length
    }
  }

  const removeOthers = async (directory: string, names: readonly string[]): Promise<void> => {
    const kept = new Set(names)
    for (const name of await copy.list(directory))
      if (!kept.has(name)) await rm(join(folder, directory, name), { recursive: true, force: true })
  }

  return {
    files: copy,
    /** Makes the copy equal to the sandbox. @throws AskError `TOO_LARGE` beyond 1 GiB */
    async fetch(): Promise<void> {
      bytes = 0
      const runIds = (await sandbox.files.list(runs)).filter(isRunId)
      for (const runId of runIds) await fetchRun(runId)
      await removeOthers(runs, runIds)
      // The questions come last: each of them then has its run.
      await fetchFolder(approvals)
      await fetchFolder(questions)
    },
    /**
     * Copies the answers back that came meanwhile. Doing it again changes nothing.
     *
     * @returns an error for each answer that cannot be put in its place, because of what is there
     */
    async deliver(): Promise<AskError[]> {
      const entries = (await copy.list(approvals)).filter((entry) => fileOfEntry(entry) !== null)
      const errors: AskError[] = []
      const failed = new Set<string | null>()
      for (const entry of entries.sort((a, b) => turnOf(a) - turnOf(b))) {
        const name = fileOfEntry(entry)
        if (failed.has(name)) continue
        await (entry.startsWith('.') ? deliverClaim(entry) : deliverFile(entry)).catch((error: unknown) => {
          if (!isInTheWay(error)) throw error
          failed.add(name)
          errors.push(error)
        })
      }
      return errors
    },
  }

  async function deliverFile(name: string): Promise<void> {
    const path = `${approvals}/${name}`
    const text = await copy.read(path)
    if (text !== null && text !== (await sandbox.files.read(path)))
      await sandbox.files.writeAtomic(path, text)
  }

  /** @throws AskError `CONFLICT` when the sandbox has another claim */
  async function deliverClaim(claim: string): Promise<void> {
    const text = await readClaim(copy, `${approvals}/${claim}`)
    if (text === null) return
    const there = await readClaim(sandbox.files, `${approvals}/${claim}`)
    if (there === text) return
    const path = `${approvals}/${fileOfEntry(claim)}`
    if (there !== null)
      throw new AskError('CONFLICT', 'Another answer is in the sandbox', { facts: { path } })
    if (claim.endsWith('.final')) await sandbox.files.writeAtomic(path, text, { claim })
    else await sandbox.files.writeAtomic(`${approvals}/${claim}`, text, { exclusive: true })
  }
}

/**
 * The claim of a final answer brings the public file with it, so it comes first. What is left over are drafts, and answers that
 * can still be replaced, with the claims of their revisions.
 */
const turnOf = (entry: string): number => (entry.endsWith('.final') ? 0 : entry.startsWith('.') ? 1 : 2)

/** An agent can put anything in the place of a file. That must not keep the other answers from their runs. */
const isInTheWay = (error: unknown): error is AskError =>
  error instanceof AskError && ['CONFLICT', 'UNSAFE_PATH', 'TOO_LARGE', 'INVALID_FILE'].includes(error.code)

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
