import type { QuestionStore, RecordFacts, StoredQuestion } from '@sandagent/core/store'
import { checkNamespace, listIn } from '@sandagent/fleet/internal'
import type { ChangeFeed } from './changes/change-feed.ts'
import type { Notifier } from './changes/notifier.ts'
import { PAGE_BYTES } from './database/cut-short.ts'
import type { Database } from './database/database.ts'
import { listQuestions } from './database/list-questions.ts'
import { type QuestionRow, readQuestions } from './database/read-questions.ts'
import { storedQuestion, textIn } from './database/stored-rows.ts'
import { storageKey, storedText } from './lib/storage-key.ts'

const READ_AT_ONCE = 1000

interface WrittenRow {
  new_version: string
  /** The text of the other side. */
  other: string | null
  other_version: string | null
  is_notified: boolean
}

export function createQuestions(
  namespace: string,
  { database, feed, notifier }: { database: Database; feed: ChangeFeed; notifier: Notifier },
): QuestionStore {
  checkNamespace(namespace)
  const { schema } = database

  /** Runs a function of the tables that writes one text. Others hear of it with its commit, or after it. */
  const write = async (
    name: 'write_record' | 'write_answer',
    toolCallId: string,
    values: [text: string, ...unknown[]],
  ): Promise<StoredQuestion | null> => {
    const key = storageKey(toolCallId)
    const all = [namespace, key, storedText(toolCallId), ...values]
    const places = all.map((_, index) => `$${index + 1}`).join(', ')
    const [row] = await database.query<WrittenRow>(`SELECT * FROM "${schema}".${name}(${places})`, all, {
      isFrequent: true,
    })
    if (!row) return null
    const { new_version: version, other, other_version, is_notified } = row
    if (!is_notified) notifier.note({ namespace, key, version })
    const written = { text: values[0], version }
    const found = textIn(other, other_version)
    return name === 'write_record'
      ? { toolCallId, record: written, answer: found }
      : { toolCallId, record: found, answer: written }
  }

  return {
    async read(toolCallIds) {
      const asked = toolCallIds.map((toolCallId) => ({ namespace, key: storageKey(toolCallId) }))
      const rows: QuestionRow[] = []
      while (rows.length < asked.length) {
        const some = asked.slice(rows.length, rows.length + READ_AT_ONCE)
        rows.push(...(await readQuestions(database, some, PAGE_BYTES)))
      }
      return rows.map((row, index) => storedQuestion(toolCallIds[index] as string, row))
    },

    writeRecord: (toolCallId, text, { expected, facts }) =>
      write('write_record', toolCallId, [text, expected, ...factValues(facts)]),

    writeAnswer: (toolCallId, text, { expected }) => write('write_answer', toolCallId, [text, expected]),

    list: listIn(namespace, (options) => listQuestions(database, options)),

    subscribe: (signal, { toolCallId, onlyNew = false } = {}) =>
      feed({
        namespace,
        key: toolCallId === undefined ? null : storageKey(toolCallId),
        onlyNew,
        signal,
      }),
  }
}

const factValues = ({ runId, askedAt, isSettled }: RecordFacts): unknown[] => [
  storedText(runId),
  Date.parse(askedAt),
  isSettled,
]
