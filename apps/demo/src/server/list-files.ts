import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileEntry, FileList } from '../shared/api.ts'

const MOST_FILES = 200
const DEEPEST = 8

/** Folders that the list leaves out. */
const SKIPPED: ReadonlySet<string> = new Set(['.sandagent', '.git', 'node_modules'])

/** The regular files below the workdir, by path. Links are left out: they may lead out of it. */
export async function listFiles({ workdir }: { workdir: string }): Promise<FileList> {
  const files: FileEntry[] = []

  const visit = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(workdir, folder), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (files.length > MOST_FILES) return
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile()) files.push({ path, bytes: await sizeOf(join(workdir, path)) })
      else if (entry.isDirectory() && depth < DEEPEST && !SKIPPED.has(entry.name))
        await visit(path, depth + 1)
    }
  }
  await visit('', 1)
  return { workdir, files: files.slice(0, MOST_FILES), truncated: files.length > MOST_FILES }
}

/** The size of a file, if the agent has not removed it. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
