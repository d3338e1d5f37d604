import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  digestOf,
  filledText,
  isoTime,
  type OnWarning,
  parseJson,
  parseWith,
  warningOf,
} from '@sandagent/core/internal'
import { createLocalFiles } from '@sandagent/files/internal'
import pLimit from 'p-limit'
import * as v from 'valibot'
import type { NoticeSubject, SentMessage } from '../notice.ts'

/** A notice that was sent, or could not be sent. */
export interface SentNotice {
  subject: NoticeSubject
  sink: string
  /** The key of the question, see `questionKey`. */
  question: string
  /** ISO 8601. */
  at: string
  /** What the sink keeps to edit the message. */
  message?: SentMessage
  /** Why it could not be sent. */
  failure?: string
}

interface SentName extends Pick<SentNotice, 'question' | 'sink'> {
  subject: Pick<NoticeSubject, 'id'>
}

/** What was sent, as files of one folder: one for each notice and sink. Several processes can read and write them. */
export type SentNotices = ReturnType<typeof createSentNotices>

const message: v.GenericSchema<unknown, SentMessage> = v.union([
  v.string(),
  v.number(),
  v.record(v.string(), v.union([v.string(), v.number()])),
])

const schema: v.GenericSchema<unknown, SentNotice> = v.object({
  subject: v.object({
    id: filledText,
    sandboxId: v.string(),
    sandboxName: v.string(),
    toolCallId: v.string(),
    person: v.object({ name: v.string(), address: v.exactOptional(v.string()) }),
  }),
  sink: v.string(),
  question: filledText,
  at: isoTime,
  message: v.exactOptional(message),
  failure: v.exactOptional(v.string()),
})

const nameOf = ({ question, subject, sink }: SentName): string =>
  `${question}-${digestOf([subject.id, sink]).slice(0, 32)}.json`

/** @param folder for this user alone. It is made if it is missing. */
export function createSentNotices(folder: string, { onWarning }: { onWarning: OnWarning }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = createLocalFiles(folder)
  const readOne = async (name: string): Promise<SentNotice[]> => {
    try {
      const text = await files.read(name)
      if (text === null) return [] // Another process has just removed it.
      const what = `${join(folder, name)} is no sent notice`
      return [parseWith(schema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)]
    } catch (error) {
      onWarning(warningOf(error))
      return []
    }
  }
  const read = async (beginning: string): Promise<SentNotice[]> => {
    const names = (await files.list('.')).filter((name) => NAME.test(name) && name.startsWith(beginning))
    return (await pLimit(FILES_AT_ONCE).map(names, readOne)).flat()
  }
  return {
    all: (): Promise<SentNotice[]> => read(''),
    of: (question: string): Promise<SentNotice[]> => read(`${question}-`),
    find: async (of: SentName): Promise<SentNotice | undefined> => (await readOne(nameOf(of)))[0],
    write: (sent: SentNotice): Promise<void> => files.writeAtomic(nameOf(sent), JSON.stringify(sent)),
    remove: (sent: SentNotice): Promise<void> => files.remove(nameOf(sent)),
  }
}

const NAME = /^[0-9a-f]{32}-[0-9a-f]{32}\.json$/
const FILES_AT_ONCE = 8
