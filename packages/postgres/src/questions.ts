import type { QuestionStore, StoredQuestion } from '@sandagent/core/store'
import { checkNamespace, listIn } from '@sandagent/fleet/internal'
import type { ChangeFeed } from './changes/change-feed.ts'
import type { Notifier } from './changes/notifier.ts'
import type { Database } from './database/database.ts'
import { listQuestions } from './database/list-questions.ts'
import type { QuestionRow } from './database/read-questions.ts'
import { storedQuestion, textIn } from './database/stored-rows.ts'
import type { TextWrite, WrittenRow } from './database/write-texts.ts'
import type { Hint, Kind } from './lib/hint.ts'
import { storageKey, storedText } from './lib/storage-key.ts'

interface Statements {
  database: Database
  feed: ChangeFeed
  notifier: Notifier
  /** What is stored of a question. Calls of one moment share a statement. */
  readOne(question: Hint): Promise<QuestionRow>
  /** The same, for each of the two texts. */
  writeOne: Readonly<Record<Kind, (write: TextWrite) => Promise<WrittenRow>>>
}

export function createQuestions(
  namespace: string,
  { database, feed, notifier, readOne, writeOne }: Statements,
): QuestionStore {
  checkNamespace(namespace)

  /** Writes one text. Others hear of it with its commit, or after it. */
  const write = async (
    kind: Kind,
    toolCallId: string,
    { text, expected, facts }: Pick<TextWrite, 'text' | 'expected' | 'facts'>,
  ): Promise<StoredQuestion | null> => {
    const question = { namespace, key: storageKey(toolCallId) }
    const write = { ...question, toolCallId: storedText(toolCallId), text, expected, facts }
    const { new_version: version, other, other_version, is_notified } = await writeOne[kind](write)
    if (version === null) return null
    if (!is_notified) notifier.note({ ...question, kind, version })
    const written = { text, version }
    const found = textIn(other, other_version)
    return kind === 'q'
      ? { toolCallId, record: written, answer: found }
      : { toolCallId, record: found, answer: written }
  }

  const read = async (toolCallId: string): Promise<StoredQuestion> =>
    storedQuestion(toolCallId, await readOne({ namespace, key: storageKey(toolCallId) }))

  return {
    latest: read,

    read: (toolCallIds) => Promise.all(toolCallIds.map(read)),

    writeRecord(toolCallId, text, { expected, facts: { runId, askedAt, isSettled } }) {
      const facts = [storedText(runId), Date.parse(askedAt), isSettled] as const
      return write('q', toolCallId, { text, expected, facts })
    },

    writeAnswer: (toolCallId, text, { expected }) => write('a', toolCallId, { text, expected, facts: [] }),

    list: listIn(namespace, (options) => listQuestions(database, options)),

    subscribe: (signal, { toolCallId, onlyAnswers = false } = {}) =>
      feed({
        namespace,
        key: toolCallId === undefined ? null : storageKey(toolCallId),
        onlyAnswers,
        signal,
      }),
  }
}
