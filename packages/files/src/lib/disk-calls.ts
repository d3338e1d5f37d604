// Why it is so: docs/decisions/0059-a-local-disk-is-asked-at-once.md

import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { errorCode } from '@sandagent/core/internal'
import { type Limit, limitTo } from './limit-to.ts'

type NowOrLater<T> = T | Promise<T>

/** The system's calls for small files. Opened files are numbers. Each call throws or rejects with the system's error. */
export interface DiskCalls {
  open(path: string, flags: number, mode?: number): NowOrLater<number>
  close(opened: number): NowOrLater<void>
  stat(opened: number): NowOrLater<fs.Stats>
  /** Fills a buffer with what is at a position, and returns the number of bytes. */
  read(opened: number, into: Uint8Array, position: number): NowOrLater<number>
  write(opened: number, text: string): NowOrLater<void>
  readlink(path: string): NowOrLater<string>
  /** `undefined` for a missing entry. */
  lstat(path: string): NowOrLater<fs.Stats | undefined>
  link(path: string, newPath: string): NowOrLater<void>
  rename(path: string, newPath: string): NowOrLater<void>
  unlink(path: string): NowOrLater<void>
  /** Makes a folder for this user alone. */
  makeFolder(path: string): NowOrLater<void>
  sync(opened: number): Promise<void>
  /** The names in a folder. Beyond `most` they are left out. */
  names(path: string, most: number): Promise<string[]>
  /** How many files are written at once. */
  readonly writing: Limit
  /** Whether the kernel of this machine writes the times of files, and no other machine writes the files. */
  readonly isLocal: boolean
}

const sync = promisify(fs.fsync)

async function names(path: string, most: number): Promise<string[]> {
  const found: string[] = []
  for await (const { name } of await fs.promises.opendir(path, { bufferSize: 1000 })) {
    if (found.length >= most) break
    found.push(name)
  }
  return found
}

/** Node hands each call to a thread and back, which takes ten times as long as the call on a local disk. */
const atOnce: DiskCalls = {
  open: fs.openSync,
  close: fs.closeSync,
  stat: fs.fstatSync,
  read: (opened, into, position) => fs.readSync(opened, into, 0, into.length, position),
  write: fs.writeFileSync,
  readlink: fs.readlinkSync,
  lstat: (path) => fs.lstatSync(path, { throwIfNoEntry: false }),
  link: fs.linkSync,
  rename: fs.renameSync,
  unlink: fs.unlinkSync,
  makeFolder: (path) => fs.mkdirSync(path, 0o700),
  sync,
  names,
  // Each holds two descriptors, and a process may have only 256. They share the syncs of their folder.
  writing: limitTo(32),
  isLocal: true,
}

const readLater = promisify(fs.read)
const lstatLater: (path: string) => Promise<fs.Stats> = promisify(fs.lstat)

/** Keeps the process going while a disk does not answer. */
const byThreads: DiskCalls = {
  open: promisify(fs.open),
  close: promisify(fs.close),
  stat: promisify(fs.fstat),
  read: async (opened, into, position) => (await readLater(opened, into, 0, into.length, position)).bytesRead,
  write: promisify(fs.writeFile),
  readlink: promisify(fs.readlink),
  lstat: (path) =>
    lstatLater(path).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }),
  link: promisify(fs.link),
  rename: promisify(fs.rename),
  unlink: promisify(fs.unlink),
  makeFolder: (path) => fs.promises.mkdir(path, 0o700),
  sync,
  names,
  // Each takes a thread while the disk does not answer.
  writing: limitTo(2),
  isLocal: false,
}

/** File systems of local disks and of memory, by the numbers that Linux gives them: see statfs(2). */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0x794c7630, // overlayfs
  0x01021994, // tmpfs
])

const MOST_FOLDERS = 1000
const known = new Map<string, DiskCalls>()

/** The calls for the files below a folder: at once on a local disk, by threads elsewhere and while the folder is missing. */
export function diskCalls(root: string): DiskCalls {
  const before = known.get(root)
  if (before) return before
  if (process.platform !== 'linux') return byThreads
  try {
    const calls = LOCAL.has(fs.statfsSync(root).type) ? atOnce : byThreads
    if (known.size >= MOST_FOLDERS) known.clear()
    known.set(root, calls)
    return calls
  } catch {
    return byThreads
  }
}

/**
 * A path of plain names, `/` between them, below a folder. `join` looks at each character of a path: in an answer, that was a
 * quarter of all calls of functions.
 */
export const below = (folder: string, path: string): string => `${folder === '/' ? '' : folder}/${path}`

/** Whether there is nothing at a path. A link is something, also if it leads nowhere. */
export async function isMissing(root: string, path: string): Promise<boolean> {
  try {
    return (await diskCalls(root).lstat(below(root, path))) === undefined
  } catch {
    return false
  }
}
