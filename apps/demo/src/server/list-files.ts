import { AskError, type RunSandbox } from '@sandagent/sdk'
import type { FileEntry, FileList } from '../shared/api.ts'

const MOST_FILES = 200
const DEEPEST = 8

/** Folders that the list leaves out. */
const SKIPPED: ReadonlySet<string> = new Set(['.sandagent', '.git', 'node_modules'])

/** The regular files below the workdir, by path. Links are left out: they may lead out of it. */
export async function listFiles({
  workdir,
  files,
}: Pick<RunSandbox, 'workdir' | 'files'>): Promise<FileList> {
  const found: FileEntry[] = []

  /** Looks at all entries of a folder at once: each look at a sandbox elsewhere takes a round trip. */
  const visit = async (folder: string, depth: number): Promise<void> => {
    if (found.length > MOST_FILES) return
    const names = await files.list(folder).catch(noneIfReachable)
    const shown = names.filter((name) => !SKIPPED.has(name))
    const paths = shown.slice(0, MOST_FILES + 1).map((name) => (folder === '.' ? name : `${folder}/${name}`))
    const folders = await Promise.all(paths.map(async (path) => ((await add(path)) ? [] : [path])))
    if (depth < DEEPEST) await Promise.all(folders.flat().map((path) => visit(path, depth + 1)))
  }

  /** Whether an entry is a file. Only a regular file can be read. */
  const add = async (path: string): Promise<boolean> => {
    try {
      if ((await files.readFrom(path, 0, 0)) === null) return true // The agent has removed it.
      found.push({ path, bytes: (await files.stat(path))?.size ?? 0 })
      return true
    } catch (error) {
      noneIfReachable(error)
      return false
    }
  }

  await visit('.', 1)
  found.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { workdir, files: found.slice(0, MOST_FILES), truncated: found.length > MOST_FILES }
}

/** Leaves out what an agent made unreadable, and links. A sandbox that is out of reach is an error. */
function noneIfReachable(error: unknown): [] {
  if (error instanceof AskError && error.code === 'UNREACHABLE') throw error
  return []
}
