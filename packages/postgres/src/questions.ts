import { ATTACHMENT_FILE } from '@sandagent/core/internal'
import type { QuestionStore, StoredQuestion } from '@sandagent/core/store'
import { checkNamespace, listIn } from '@sandagent/fleet/internal'
import type { ChangeFeed } from './changes/change-feed.ts'
import type { Notifier } from './changes/notifier.ts'
import { readAttachment, writeAttachment } from './database/attachments.ts'
import type { Database } from './database/database.ts'
import { listQuestions } from './database/list-questions.ts'
import type { QuestionRow } from './database/read-questions.ts'
import { storedQuestion, textIn } from './database/stored-rows.ts'
import type { TextWrite, WrittenRow } from './database/write-texts.ts'
import { type Hint, hintText, type Kind } from './lib/hint.ts'
import { storageKey, storedText } from './lib/storage-key.ts'

/** Of how many questions what was last seen is kept. */
const MOST_SEEN = 100

/**
 * What this process has last seen of questions, by hint. A write that begins with it, and with an old version, writes nothing.
 */
export type Seen = Map<string, StoredQuestion>

interface Statements {
  database: Database
  feed: ChangeFeed
  notifier: Notifier
  /** What is stored of a question. Calls of one moment share a statement. */
  readOne(question: Hint): Promise<QuestionRow>
  /** The same, for each of the two texts. */
  writeOne: Readonly<Record<Kind, (write: TextWrite) => Promise<WrittenRow>>>
  seen: Seen
}

export function createQuestions(
  namespace: string,
  { database, feed, notifier, readOne, writeOne, seen }: Statements,
): QuestionStore {
  checkNamespace(namespace)

  const hintOf = (toolCallId: string): Hint => ({ namespace, key: storageKey(toolCallId) })

  const note = (stored: StoredQuestion): StoredQuestion => {
    if (seen.size >= MOST_SEEN) seen.clear()
    if (stored.record) seen.set(hintText(hintOf(stored.toolCallId)), stored)
    return stored
  }

  /** Writes one text. Others hear of it with its commit, or after it. */
  const write = async (
    kind: Kind,
    toolCallId: string,
    options: Omit<TextWrite, keyof Hint | 'toolCallId'>,
  ): Promise<StoredQuestion | null> => {
    const question = hintOf(toolCallId)
    const write = { ...question, toolCallId: storedText(toolCallId), ...options }
    seen.delete(hintText(question))
    const { new_version: version, other, other_version, is_notified } = await writeOne[kind](write)
    if (version === null) return null
    if (!is_notified) notifier.note({ ...question, kind, version })
    const written = { text: options.text, version }
    const found = textIn(other, other_version)
    return note({
      toolCallId,
      ...(kind === 'q' ? { record: written, answer: found } : { record: found, answer: written }),
    })
  }

  const read = async (toolCallId: string): Promise<StoredQuestion> =>
    note(storedQuestion(toolCallId, await readOne(hintOf(toolCallId))))

  return {
    latest: async (toolCallId) => seen.get(hintText(hintOf(toolCallId))) ?? read(toolCallId),

    read: (toolCallIds) => Promise.all(toolCallIds.map(read)),

    writeRecord(toolCallId, text, { expected, facts: { runId, askedAt, isSettled } }) {
      const facts = [storedText(runId), Date.parse(askedAt), isSettled] as const
      return write('q', toolCallId, { text, expected, facts, asked: null })
    },

    writeAnswer: (toolCallId, text, { expected, asked }) =>
      write('a', toolCallId, { text, expected, facts: [], asked: asked?.version ?? null }),

    list: listIn(namespace, (options) => listQuestions(database, options)),

    subscribe: (signal, { toolCallId, onlyAnswers = false } = {}) =>
      feed({
        namespace,
        key: toolCallId === undefined ? null : storageKey(toolCallId),
        onlyAnswers,
        signal,
        onTake: note,
      }),

    writeFile: (toolCallId, pieces, nameOf, room) =>
      writeAttachment(database, hintOf(toolCallId), pieces, nameOf, room),

    // A name of a file that is still coming begins with a dot.
    readFile: async (toolCallId, name, offset) =>
      ATTACHMENT_FILE.test(name) ? readAttachment(database, hintOf(toolCallId), name, offset) : null,
  }
}
