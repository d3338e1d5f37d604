import type { FileHandle } from 'node:fs/promises'

/** How long a folder is shared after it was opened, in milliseconds. By then another one may be in its place. */
const SHARED_MS = 20

/** An opened folder, until each of its users has released it. */
export interface HeldFolder {
  folder: Promise<FileHandle>
  release(): Promise<void>
}

interface Opened {
  folder: Promise<FileHandle>
  openedAt: number
  users: number
}

const opened = new Map<string, Opened>()

/**
 * Opens a folder. Uses that overlap share it: opening a folder safely takes longer than reading a small file in it.
 *
 * @param options.share whether another use of this moment may have opened the folder
 */
export function holdFolder(
  path: string,
  open: () => Promise<FileHandle>,
  { share }: { share: boolean },
): HeldFolder {
  const now = performance.now()
  const present = share ? opened.get(path) : undefined
  const held =
    present && now - present.openedAt < SHARED_MS ? present : { folder: open(), openedAt: now, users: 0 }
  held.users++
  if (share) opened.set(path, held)
  return {
    folder: held.folder,
    async release() {
      held.users--
      if (held.users > 0) return
      if (opened.get(path) === held) opened.delete(path)
      // A folder that could not be opened needs no closing: its users have the error.
      const folder = await held.folder.catch(() => null)
      await folder?.close()
    },
  }
}
