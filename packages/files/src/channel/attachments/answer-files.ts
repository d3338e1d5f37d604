// Why it is so: docs/decisions/0115-an-answer-names-its-files.md

import { randomUUID } from 'node:crypto'
import {
  ATTACHMENT_FILE,
  type FileRoom,
  fileNameOf,
  isFileFault,
  PIECE_BYTES,
  refuseFull,
  sha256Hex,
} from '@sandagent/core/internal'
import type { StoredFiles } from '@sandagent/core/store'
import pLimit from 'p-limit'
import type { RunFiles, SandboxFiles } from '../../disk/sandbox-files.ts'
import { reach } from '../../lib/reach.ts'
import { type StateFolderOption, stateFolders } from '../state-folders.ts'

/** The files are counted so many at a time. */
const AT_ONCE = 16

type ByteFiles = Required<Pick<RunFiles, 'writeAt' | 'rename' | 'stat' | 'readFrom' | 'remove' | 'list'>>

/**
 * The files of answers in a sandbox, for a store over its files. Each has its bytes once, and beside them a mark for each
 * question that it was given for. `null`: this sandbox takes none.
 */
export function answerFiles({
  files,
  stateFolder,
}: StateFolderOption & { files: SandboxFiles }): StoredFiles | null {
  const calls: Partial<RunFiles> = files
  const canTake = calls.writeAt && calls.rename && calls.stat && calls.readFrom && calls.remove
  return canTake ? filesIn(calls as ByteFiles, { stateFolder }) : null
}

function filesIn(files: ByteFiles, place: StateFolderOption): StoredFiles {
  const { attachments: folder, questions } = stateFolders(place)
  return {
    async writeFile(toolCallId, pieces, nameOf, room) {
      await refuseFullFolder(files, folder, room, 1)
      const temporary = `${folder}/.${randomUUID()}.tmp`
      const reader = `${questions}/${fileNameOf(toolCallId)}`
      const write = (path: string, piece: Uint8Array, at: number): Promise<void> =>
        reach(files.writeAt(path, piece, at, { reader }), UNWRITABLE)
      let size = 0
      try {
        for await (const piece of pieces) {
          await write(temporary, piece, size)
          size += piece.length
        }
        const name = nameOf()
        if (size === 0) await write(temporary, new Uint8Array(), 0)
        // The last one of several that write at the same time finds the bytes of all.
        await refuseFullFolder(files, folder, room, 0)
        await reach(files.rename(temporary, name), UNWRITABLE)
        await write(`${folder}/${markOf(toolCallId, name)}`, new Uint8Array(), 0)
      } catch (error) {
        await files.remove(temporary).catch(() => {}) // It is swept with what other writers left.
        throw error
      }
    },

    async readFile(toolCallId, name, offset) {
      if (!ATTACHMENT_FILE.test(name)) return null
      const path = `${folder}/${name}`
      const look = (at: string) => reach(files.stat(at), UNREADABLE)
      const [mark, found] = await Promise.all([look(`${folder}/${markOf(toolCallId, name)}`), look(path)])
      if (!mark || !found) return null
      const most = Math.min(PIECE_BYTES, found.size - offset)
      // What an agent has put in its place is no file that was given.
      const read = async () => files.readFrom(path, offset, most)
      const bytes = most > 0 ? await reach(read().catch(nullIfNoFile), UNREADABLE) : new Uint8Array()
      return bytes && { size: found.size, bytes }
    },
  }
}

function nullIfNoFile(error: unknown): null {
  if (isFileFault(error)) return null
  throw error
}

/** The name of the empty file which says that a file was given for a question. Whoever knows a digest alone gets no bytes. */
const markOf = (toolCallId: string, name: string): string => `${name}~${sha256Hex(toolCallId)}`

/** @param more how many files are still to come */
async function refuseFullFolder(
  files: ByteFiles,
  folder: string,
  room: FileRoom,
  more: number,
): Promise<void> {
  const all = await reach(files.list(folder), UNWRITABLE)
  const stored = all.filter((name) => ATTACHMENT_FILE.test(name) || COMING.test(name))
  // An agent can make very many.
  refuseFull({ files: stored.length + more, bytes: 0 }, room)
  const sizeOf = async (name: string): Promise<number> => (await files.stat(`${folder}/${name}`))?.size ?? 0
  const sizes = await reach(pLimit(AT_ONCE).map(stored, sizeOf), UNWRITABLE)
  refuseFull({ files: 0, bytes: sizes.reduce((sum, size) => sum + size, 0) }, room)
}

/** The name of a file whose bytes are not all there. */
const COMING = /^\.[0-9a-f-]{36}\.tmp$/

const UNWRITABLE = 'This file cannot be stored'
const UNREADABLE = 'This file cannot be read'
