import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { textIfThere } from '../../lib/text-if-there.ts'

/** Files that a power cut would lose: their name, or their text. */
export interface Unsynced {
  /** Notes that a file has got this path, and that its folder is not synced since. */
  noteName(path: string): void
  /** Notes that the text of a file is not synced. */
  noteText(path: string): void
  /** The text of a file is synced. */
  forgetText(path: string): void
  /** The file is gone. */
  forget(path: string): void
  /** What must be called before a folder is synced. Returns what must be called once it is. */
  beforeFolderSync(path: string): () => void
  /** The paths of all files that a power cut would lose now. */
  paths(): string[]
}

const TEXT = ' text'

/**
 * Each note is a file in `folder` that holds the path. So all processes share the notes, and a note outlives a process that is
 * killed. A note names the folder by its inode, because some folders are mounted twice.
 */
export function createUnsynced(folder: string): Unsynced {
  mkdirSync(folder, { recursive: true })
  const idOf = (path: string): string => {
    const { dev, ino } = statSync(path)
    return `${dev}-${ino} `
  }
  const noteOf = (path: string): string => join(folder, idOf(dirname(path)) + basename(path))
  const add = (note: string, path: string): void => writeFileSync(note, path)
  const remove = (note: string): void => rmSync(note, { force: true })
  return {
    noteName: (path) => add(noteOf(path), path),
    noteText: (path) => add(noteOf(path) + TEXT, path),
    forgetText: (path) => remove(noteOf(path) + TEXT),
    forget(path) {
      remove(noteOf(path))
      remove(noteOf(path) + TEXT)
    },
    beforeFolderSync(path) {
      const id = idOf(path)
      const synced = readdirSync(folder).filter((note) => note.startsWith(id) && !note.endsWith(TEXT))
      return () => {
        for (const note of synced) remove(join(folder, note))
      }
    },
    paths: () => readdirSync(folder).flatMap((note) => textIfThere(join(folder, note)) ?? []),
  }
}
