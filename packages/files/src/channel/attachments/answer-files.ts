// Why it is so: docs/decisions/0115-an-answer-names-its-files.md

import { randomUUID } from 'node:crypto'
import { ATTACHMENT_FILE, fileNameOf, PIECE_BYTES, refuseFull } from '@sandagent/core/internal'
import type { StoredFiles } from '@sandagent/core/store'
import pLimit from 'p-limit'
import type { RunFiles, SandboxFiles } from '../../disk/sandbox-files.ts'
import { type StateFolderOption, stateFolders } from '../state-folders.ts'

/** The files are counted so many at a time. */
const AT_ONCE = 16

type ByteFiles = Required<Pick<RunFiles, 'writeAt' | 'rename' | 'stat' | 'readFrom' | 'remove' | 'list'>>

/**
 * The files of answers in a sandbox, for a store over its files. Each has its bytes once, whatever question it was given for. `null`:
 * this sandbox takes none.
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
    async writeFile(toolCallId, pieces, nameOf) {
      await refuseFullFolder(files, folder)
      const temporary = `${folder}/.${randomUUID()}.tmp`
      const reader = `${questions}/${fileNameOf(toolCallId)}`
      let size = 0
      try {
        for await (const piece of pieces) {
          await files.writeAt(temporary, piece, size, { reader })
          size += piece.length
        }
        const name = nameOf()
        if (size === 0) await files.writeAt(temporary, new Uint8Array(), 0, { reader })
        await files.rename(temporary, name)
      } catch (error) {
        await files.remove(temporary).catch(() => {}) // It is swept with what other writers left.
        throw error
      }
    },

    async readFile(_toolCallId, name, offset) {
      if (!ATTACHMENT_FILE.test(name)) return null
      const path = `${folder}/${name}`
      const found = await files.stat(path)
      if (!found) return null
      const most = Math.min(PIECE_BYTES, found.size - offset)
      const bytes = most > 0 ? await files.readFrom(path, offset, most) : new Uint8Array()
      return bytes && { size: found.size, bytes }
    },
  }
}

async function refuseFullFolder(files: ByteFiles, folder: string): Promise<void> {
  const names = (await files.list(folder)).filter((name) => ATTACHMENT_FILE.test(name))
  // An agent can make very many.
  refuseFull({ files: names.length, bytes: 0 })
  const stats = await pLimit(AT_ONCE).map(names, (name) => files.stat(`${folder}/${name}`))
  refuseFull({ files: 0, bytes: stats.reduce((sum, found) => sum + (found?.size ?? 0), 0) })
}
