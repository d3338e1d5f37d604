// Why it is so: docs/decisions/0059-a-local-disk-is-asked-at-once.md

import {
  close,
  closeSync,
  type Dir,
  fstat,
  fstatSync,
  fsync,
  link,
  linkSync,
  lstat,
  lstatSync,
  mkdir,
  mkdirSync,
  open,
  opendir,
  opendirSync,
  openSync,
  read,
  readlink,
  readlinkSync,
  readSync,
  realpath,
  realpathSync,
  rename,
  renameSync,
  type Stats,
  statfsSync,
  unlink,
  unlinkSync,
  writeFile,
  writeFileSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { errorCode } from '@sandagent/core/internal'
import pLimit, { type LimitFunction } from 'p-limit'

type NowOrLater<T> = T | Promise<T>

/** The system's calls for small files. Opened files are numbers. Each call throws or rejects with the system's error. */
export interface DiskCalls {
  open(path: string, flags: number, mode?: number): NowOrLater<number>
  /** Opens a file that may be missing. Then it returns `null`, or throws the system's `ENOENT`. */
  openIfThere(path: string, flags: number): NowOrLater<number | null>
  close(opened: number): NowOrLater<void>
  stat(opened: number): NowOrLater<Stats>
  /** Fills a buffer with what is at a position, and returns the number of bytes. */
  read(opened: number, into: Uint8Array, position: number): NowOrLater<number>
  write(opened: number, text: string): NowOrLater<void>
  sync(opened: number): Promise<void>
  /** How many files are written at once. */
  readonly writing: LimitFunction
  readlink(path: string): NowOrLater<string>
  /** The path without links. */
  realpath(path: string): NowOrLater<string>
  /** `undefined` for a missing entry. */
  lstat(path: string): NowOrLater<Stats | undefined>
  /** The names in a folder. Beyond `most` they are left out. */
  names(path: string, most: number): Promise<string[]>
  link(path: string, newPath: string): NowOrLater<void>
  rename(path: string, newPath: string): NowOrLater<void>
  unlink(path: string): NowOrLater<void>
  /** Makes a folder for this user alone. */
  makeFolder(path: string): NowOrLater<void>
}

const sync = promisify(fsync)
const readLater = promisify(read)
const openLater = promisify(open)
const opendirLater: (path: string, options: { bufferSize: number }) => Promise<Dir> = promisify(opendir)
const mkdirLater: (path: string, mode: number) => Promise<void> = promisify(mkdir)
const lstatLater: (path: string) => Promise<Stats> = promisify(lstat)

function lstatAtOnce(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** So many names are read at once. */
const PIECE = { bufferSize: 1000 }

/** All names of a small folder at once, and the first ones of a large folder. */
async function namesAtOnce(path: string, most: number): Promise<string[]> {
  const folder = opendirSync(path, PIECE)
  const limit = Math.min(PIECE.bufferSize, most)
  let names: string[]
  try {
    names = firstNames(folder, limit)
  } catch (error) {
    folder.closeSync()
    throw error
  }
  if (names.length === limit) return withMoreNames(names, folder, most)
  folder.closeSync()
  return names
}

function firstNames(folder: Dir, most: number): string[] {
  const names: string[] = []
  while (names.length < most) {
    const entry = folder.readSync()
    if (entry === null) break
    names.push(entry.name)
  }
  return names
}

/** Adds the names that are left, and closes the folder. */
async function withMoreNames(names: readonly string[], folder: Dir, most: number): Promise<string[]> {
  const all = [...names]
  for await (const { name } of folder) {
    if (all.length >= most) break
    all.push(name)
  }
  return all
}

/** Node hands each call to a thread and back, which takes ten times as long as the call on a local disk. */
const atOnce: DiskCalls = {
  open: openSync,
  // Most answer files are missing most of the time. An error takes longer than a look.
  openIfThere: (path, flags) => (lstatAtOnce(path) === undefined ? null : openSync(path, flags)),
  close: closeSync,
  stat: fstatSync,
  read: (opened, into, position) => readSync(opened, into, 0, into.length, position),
  write: writeFileSync,
  sync,
  // Each holds two descriptors, and a process may have only 256. They share the syncs of their folder.
  writing: pLimit(32),
  readlink: readlinkSync,
  realpath: realpathSync.native,
  lstat: lstatAtOnce,
  names: namesAtOnce,
  link: linkSync,
  rename: renameSync,
  unlink: unlinkSync,
  makeFolder: (path) => mkdirSync(path, 0o700),
}

/** Keeps the process going while a disk does not answer. */
const byThreads: DiskCalls = {
  open: openLater,
  openIfThere: openLater,
  close: promisify(close),
  stat: promisify(fstat),
  read: async (opened, into, position) => (await readLater(opened, into, 0, into.length, position)).bytesRead,
  write: promisify(writeFile),
  sync,
  // Each takes a thread while the disk does not answer.
  writing: pLimit(2),
  readlink: promisify(readlink),
  realpath: promisify(realpath.native),
  lstat: (path) =>
    lstatLater(path).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }),
  names: async (path, most) => withMoreNames([], await opendirLater(path, PIECE), most),
  link: promisify(link),
  rename: promisify(rename),
  unlink: promisify(unlink),
  makeFolder: (path) => mkdirLater(path, 0o700),
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
    const calls = LOCAL.has(statfsSync(root).type) ? atOnce : byThreads
    if (known.size >= MOST_FOLDERS) known.clear()
    known.set(root, calls)
    return calls
  } catch {
    return byThreads
  }
}
