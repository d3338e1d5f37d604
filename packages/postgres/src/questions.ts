import { AskError } from '@sandagent/core'
import type {
  ListedQuestion,
  QuestionStore,
  RecordFacts,
  StoredQuestion,
  StoreListOptions,
  StoreSubscribeOptions,
} from '@sandagent/core/store'
import type { ChangeFeed } from './changes/change-feed.ts'
import type { Notifier } from './changes/notifier.ts'
import { cutShort, PAGE_BYTES } from './database/cut-short.ts'
import type { Database } from './database/database.ts'
import { IN_TIME, inPages, placeValues } from './database/in-pages.ts'
import {
  type ListedRow,
  listedIn,
  storedQuestion,
  TEXT_COLUMNS,
  type TextColumns,
  textIn,
} from './database/stored-rows.ts'
import { storageKey, storedText } from './lib/storage-key.ts'

const NAMESPACE = /^[A-Za-z0-9_-]{1,100}$/

const READ_AT_ONCE = 1000

/** What a function that writes returns. */
interface WrittenRow {
  new_version: string
  /** The text of the other side. */
  other: string | null
  other_version: string | null
  is_notified: boolean
}

/** The questions of one namespace. */
export function createQuestions(
  namespace: string,
  { database, feed, notifier }: { database: Database; feed: ChangeFeed; notifier: Notifier },
): QuestionStore {
  if (!NAMESPACE.test(namespace))
    throw new AskError('INVALID_REQUEST', 'A namespace has up to 100 letters, digits, - and _')
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

  /** Reads the first of these, as many as have so many bytes of texts. */
  const readSome = async (toolCallIds: readonly string[]): Promise<StoredQuestion[]> => {
    const select = `
      SELECT asked.place, ${TEXT_COLUMNS}, pg_is_in_recovery() AS is_replica
      FROM unnest($2::text[]) WITH ORDINALITY AS asked (key, place)
      LEFT JOIN "${schema}".questions q ON q.namespace = $1 AND q.key = asked.key
      LEFT JOIN "${schema}".answers a ON a.namespace = $1 AND a.key = asked.key`
    const rows = await database.query<TextColumns & { is_replica: boolean }>(
      cutShort(select, { order: 'place', bytes: PAGE_BYTES }),
      [namespace, toolCallIds.map(storageKey)],
      { isFrequent: true },
    )
    // A replica may not have what was acknowledged.
    if (rows[0]?.is_replica)
      throw new AskError(
        'UNREACHABLE',
        'The database is a replica, which may lack the newest answers. Connect to the primary server',
      )
    return rows.map((row, index) => storedQuestion(toolCallIds[index] as string, row))
  }

  return {
    async read(toolCallIds) {
      const all: StoredQuestion[] = []
      while (all.length < toolCallIds.length)
        all.push(...(await readSome(toolCallIds.slice(all.length, all.length + READ_AT_ONCE))))
      return all
    },

    writeRecord: (toolCallId, text, { expected, facts }) =>
      write('write_record', toolCallId, [text, expected, ...factValues(facts)]),

    writeAnswer: (toolCallId, text, { expected }) => write('write_answer', toolCallId, [text, expected]),

    list: ({ unsettled = false, limit = Number.POSITIVE_INFINITY, after }: StoreListOptions = {}) =>
      inPages<ListedRow, ListedQuestion>({
        limit,
        order: 'asked_at_ms, key',
        page: (wanted, last) => ({
          select: `SELECT ${TEXT_COLUMNS}, q.tool_call_id, q.asked_at_ms, q.key
            FROM "${schema}".questions q LEFT JOIN "${schema}".answers a USING (namespace, key)
            WHERE q.namespace = $1 ${unsettled ? 'AND NOT q.is_settled' : ''} AND ${IN_TIME}
              AND (q.asked_at_ms, q.key) > ($2::bigint, $3::text)
            ORDER BY q.asked_at_ms, q.key LIMIT $4`,
          values: [namespace, ...(last ? [last.asked_at_ms, last.key] : placeValues(after)), wanted],
        }),
        query: (statement, values) => database.query(statement, values),
        entriesOf: (row) => listedIn(row, database),
      }),

    subscribe: (signal, { toolCallId, onlyNew = false }: StoreSubscribeOptions = {}) =>
      feed.subscribe({
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
