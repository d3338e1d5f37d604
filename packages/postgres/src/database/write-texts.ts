import { channelOf, type Hint, type Kind } from '../lib/hint.ts'
import type { Database } from './database.ts'

/** A text to write, as `write_text` of the tables takes it. */
export interface TextWrite extends Hint {
  /** As the tables have it. */
  toolCallId: string
  text: string
  expected: string | null
  /** Of a record. */
  facts: readonly [runId: string, askedAtMs: number, isSettled: boolean] | readonly []
  /** Of an answer: the version of the record that it is for. */
  asked: string | null
}

export interface WrittenRow {
  /** `null`: nothing was written, because another version is there. */
  new_version: string | null
  /** The text of the other side. */
  other: string | null
  other_version: string | null
  is_notified: boolean
}

const TYPES = ['text', 'text', 'text', 'text', 'text', 'uuid', 'text', 'bigint', 'boolean', 'uuid']
const LISTS = TYPES.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
const VALUES = TYPES.map((_, index) => `v${index}`).join(', ')

/**
 * Writes texts by one statement, so by one transaction. It takes the locks of the questions in the order of their names, as all
 * writers do, so no two of them wait for each other.
 */
export async function writeTexts(
  database: Database,
  kind: Kind,
  writes: readonly TextWrite[],
): Promise<WrittenRow[]> {
  const { schema } = database
  const placeOf = ({ namespace, key }: TextWrite): string => `${namespace}/${key}`
  const sorted = [...writes].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
  const rows = sorted.map(({ namespace, key, toolCallId, text, expected, facts, asked }) => {
    const [runId = null, askedAtMs = null, isSettled = null] = facts
    return [
      channelOf(schema, namespace),
      namespace,
      key,
      toolCallId,
      text,
      expected,
      runId,
      askedAtMs,
      isSettled,
      asked,
    ]
  })
  const written = await database.query<WrittenRow>(
    `SELECT written.* FROM unnest(${LISTS}) WITH ORDINALITY AS texts (${VALUES}, place)
     LEFT JOIN LATERAL "${schema}".write_text('${kind}', ${VALUES}) written ON true ORDER BY place`,
    TYPES.map((_, index) => rows.map((row) => row[index])),
    { isFrequent: true },
  )
  return writes.map((write) => written[sorted.indexOf(write)] as WrittenRow)
}
