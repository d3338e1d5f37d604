import { createHash } from 'node:crypto'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import { fileOfEntry } from './file-paths.ts'

/** The file names of all questions, with a stamp of each question's files; `undefined` if the sandbox knows no stamps. */
export async function stateStamps(
  files: Pick<SandboxFiles, 'stamps' | 'list'>,
  folders: readonly string[],
): Promise<Map<string, string | undefined>> {
  const lines = new Map<string, string[]>()
  const add = (folder: string, entry: string, stamp = ''): void => {
    const name = fileOfEntry(entry)
    if (name === null) return
    const others = lines.get(name)
    if (others) others.push(`${folder}/${entry} ${stamp}`)
    else lines.set(name, [`${folder}/${entry} ${stamp}`])
  }
  for (const folder of folders) {
    if (files.stamps) for (const [entry, stamp] of await files.stamps(folder)) add(folder, entry, stamp)
    else for (const entry of await files.list(folder)) add(folder, entry)
  }
  return new Map([...lines].map(([name, own]) => [name, files.stamps && hashOf(own.sort())]))
}

/** A hash, so that a full folder does not fill the memory of its subscribers. */
const hashOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('base64')
