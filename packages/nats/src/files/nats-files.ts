// Why it is so: docs/decisions/0115-an-answer-names-its-files.md

import { createHash } from 'node:crypto'
import { nuid } from '@nats-io/transport-node'
import { type FileRoom, PIECE_BYTES, refuseFull } from '@sandagent/core/internal'
import type { StoredFiles } from '@sandagent/core/store'
import type { BucketNames } from '../lib/subjects.ts'
import { lastMessage, type Message } from '../service/messages.ts'
import { orUnreachable, type Service } from '../service/service.ts'

/** What is stored of a whole file: where its pieces are. */
interface Whole {
  /** In bytes. */
  size: number
  /** The part of the subjects of its pieces that no other upload has. */
  upload: string
}

/**
 * The files of answers in a stream of their own. A piece has the subject `ROOT.NAMESPACE.CALL.UPLOAD.NUMBER`, and a whole file
 * `ROOT.NAMESPACE.CALL.NAME`: its message comes last.
 */
export function natsFiles({ stream, root }: BucketNames, service: () => Promise<Service>) {
  const questionOf = (namespace: string, toolCallId: string): string =>
    `${root}.${hashed(namespace)}.${hashed(toolCallId)}`

  const purge = (filter: string): Promise<unknown> =>
    reaching(async () => (await service()).jetStream(`STREAM.PURGE.${stream}`, { filter }))

  const put = (subject: string, payload: Uint8Array | string): Promise<unknown> =>
    reaching(async () => (await service()).publish(subject, payload))

  const last = (subject: string): Promise<Message | null> =>
    reaching(async () => lastMessage(await service(), stream, subject))

  /** @param more how many files are still to come */
  const refuseFullNamespace = async (namespace: string, room: FileRoom, more: number): Promise<void> => {
    const filter = { subjects_filter: `${root}.${hashed(namespace)}.>` }
    const { state } = await reaching(async () =>
      (await service()).jetStream<StreamInfo>(`STREAM.INFO.${stream}`, filter),
    )
    const pieces = Object.keys(state.subjects ?? {})
      .map((subject) => subject.split('.'))
      .filter(({ length }) => length === 5)
    const uploads = new Set(pieces.map(([, , call, upload]) => `${call}.${upload}`))
    refuseFull({ files: uploads.size + more, bytes: pieces.length * PIECE_BYTES }, room)
  }

  return {
    /** Removes the files that were given for a question. */
    remove: (namespace: string, toolCallId: string): Promise<unknown> =>
      purge(`${questionOf(namespace, toolCallId)}.>`),

    of: (namespace: string): StoredFiles => ({
      async writeFile(toolCallId, pieces, nameOf, room) {
        await refuseFullNamespace(namespace, room, 1)
        const question = questionOf(namespace, toolCallId)
        const upload = nuid.next()
        let mayBeNamed = false
        try {
          let [count, size] = [0, 0]
          for await (const piece of pieces) {
            await put(`${question}.${upload}.${count++}`, piece)
            size += piece.length
          }
          const subject = `${question}.${hashed(nameOf())}`
          if (count === 0) await put(`${question}.${upload}.0`, '')
          // The last one of several that write at the same time finds the bytes of all.
          await refuseFullNamespace(namespace, room, 0)
          if (await last(subject)) return
          const whole: Whole = { size, upload }
          // It may be stored although this fails.
          mayBeNamed = true
          await put(subject, JSON.stringify(whole))
        } finally {
          // What stays is swept with the question.
          if (!mayBeNamed) await purge(`${question}.${upload}.>`).catch(() => {})
        }
      },

      async readFile(toolCallId, name, offset) {
        const question = questionOf(namespace, toolCallId)
        const found = await last(`${question}.${hashed(name)}`)
        if (!found) return null
        const { size, upload } = JSON.parse(found.data.toString()) as Whole
        if (offset >= size) return { size, bytes: new Uint8Array() }
        const number = Math.floor(offset / PIECE_BYTES)
        const piece = await last(`${question}.${upload}.${number}`)
        return piece && { size, bytes: piece.data.subarray(offset - number * PIECE_BYTES) }
      },
    }),
  }
}

export type NatsFiles = ReturnType<typeof natsFiles>

interface StreamInfo {
  state: { subjects?: Record<string, number> }
}

/** A token of always the same length: the subjects of a namespace are listed in one message. */
const hashed = (text: string): string =>
  createHash('sha256').update(text, 'utf16le').digest('base64url').slice(0, 22)

const reaching = <T>(work: () => Promise<T>): Promise<T> =>
  orUnreachable('The files of answers cannot be reached', work)
