import type { ReadOptions, RunnerChannel } from '../channel.ts'
import { byteLength } from '../lib/byte-length.ts'
import { checkOptions, type OptionNames } from '../lib/check-options.ts'
import { digestOf } from '../lib/digest.ts'
import { AskError } from '../lib/errors.ts'
import { warningOf } from '../lib/warning.ts'
import type { OnWarning } from '../lib/warning-codes.ts'
import { MAX_FILE_BYTES } from '../question/limits.ts'
import { type AnswerFile, isMeantFor } from '../record/answer-file/answer-file.ts'
import {
  adoptedBy,
  closeRecord,
  isSameQuestion,
  isSettled,
  type OpenRecord,
  type QuestionRecord,
  withReceipt,
} from '../record/question-record.ts'
import { isAccountedFor } from '../record/receipt.ts'
import { createAnswerHub } from './answer-hub.ts'
import type { QuestionStore, StoredQuestion } from './question-store.ts'
import { answerIn, readableRecordIn } from './stored-texts.ts'
import { type FoundAnswer, SubscribedAnswers } from './subscribed-answers.ts'

/** Half of what readers accept, so that a settled record has room for the answer. */
const MAX_RECORD_BYTES = MAX_FILE_BYTES / 2

/** What a runner needs of a store. */
export type RunnerQuestions = Pick<QuestionStore, 'read' | 'writeRecord' | 'subscribe'>

export interface RunnerChannelOptions {
  /** Called for malformed texts, and while the store is out of reach. */
  onWarning?: OnWarning | undefined
}

const NAMES: OptionNames<RunnerChannelOptions> = { onWarning: 'function' }

/** The runner's end over a store. */
export function createRunnerChannel(
  store: RunnerQuestions,
  options: RunnerChannelOptions = {},
): RunnerChannel {
  checkOptions('createRunnerChannel', options, NAMES)
  const { onWarning = () => {} } = options
  /** The open questions of this process, as they were last stored. */
  const known = new Map<string, { record: QuestionRecord; version: string | null; after?: StoredQuestion }>()
  const hub = createAnswerHub(store)

  /** @returns what is stored then; `null` if another version is there */
  const write = async (record: QuestionRecord, expected: string | null): Promise<StoredQuestion | null> => {
    const { toolCallId, runId, askedAt } = record
    const facts = { runId, askedAt, isSettled: isSettled(record) }
    const after = await store.writeRecord(toolCallId, JSON.stringify(record), { expected, facts })
    const isClosing = record.state === 'closing'
    if (after)
      known.set(toolCallId, { record, version: after.record?.version ?? null, ...(isClosing && { after }) })
    return after
  }

  const readOne = async (toolCallId: string): Promise<StoredQuestion> =>
    (await store.read([toolCallId]))[0] ?? { toolCallId, record: null, answer: null }

  const answerOf = async (
    stored: StoredQuestion,
    warn: OnWarning,
    { accept = async (answerFile) => answerFile }: ReadOptions = {},
  ): Promise<AnswerFile | null> => {
    const answerFile = answerIn(stored, warn)
    const record = known.get(stored.toolCallId)?.record ?? readableRecordIn(stored, () => {})
    return answerFile && (!record || isMeantFor(answerFile, record)) ? accept(answerFile) : null
  }

  const read = async (toolCallId: string, options?: ReadOptions): Promise<AnswerFile | null> => {
    const stored = await readOne(toolCallId).catch((error: unknown) => {
      // What was stored when the question closed has every answer that was acknowledged before.
      const after = known.get(toolCallId)?.after
      if (after) return after
      throw error
    })
    return answerOf(stored, onWarning, options)
  }

  /** The agent may have written the record: a receipt counts only if a host stored the answer to it. */
  const isBelievable = async (found: QuestionRecord): Promise<boolean> =>
    !isSettled(found) || isAccountedFor(found, await read(found.toolCallId))

  /** The record with the digest of an answer that is there already, and says not which question it answers. */
  const passingOver = (record: OpenRecord, stored: StoredQuestion): OpenRecord => {
    const answerFile = answerIn(stored, () => {})
    if (!answerFile || answerFile.nonce !== undefined) return record
    const passedOver = new Set([...(record.passedOver ?? []), digestOf(answerFile)])
    return { ...record, passedOver: [...passedOver] }
  }

  /** @returns the new record; `null` if somebody else wrote first */
  const askNew = async (given: OpenRecord, stored: StoredQuestion): Promise<OpenRecord | null> => {
    const record = passingOver(given, stored)
    const after = await write(record, stored.record?.version ?? null)
    if (!after) return null
    // An answer may have come in between. It was not given to this question either.
    const isNoted = passingOver(record, after).passedOver?.length === record.passedOver?.length
    return isNoted ? record : askNew(record, after)
  }

  /** @returns the record in force; `null` if somebody else wrote first */
  const adopt = async (
    found: QuestionRecord,
    stored: StoredQuestion,
    given: OpenRecord,
  ): Promise<QuestionRecord | null> => {
    if (isSettled(found)) {
      known.delete(found.toolCallId)
      return found
    }
    const adopted = adoptedBy(found, given)
    if (adopted === found) return found
    return (await write(adopted, stored.record?.version ?? null)) && adopted
  }

  /** Replaces the record in force, also if another process wrote the same question meanwhile. */
  const replace = async <R extends QuestionRecord>(
    toolCallId: string,
    change: (record: QuestionRecord) => R | { unchanged: R },
  ): Promise<R> => {
    for (let isFirst = true; ; isFirst = false) {
      const ours = known.get(toolCallId)
      const stored = ours && isFirst ? null : await readOne(toolCallId)
      const record = ours?.record ?? (stored && readableRecordIn(stored, onWarning))
      if (!record)
        throw new AskError('NOT_FOUND', 'This question was never asked. Call open before close and settle', {
          facts: { toolCallId },
        })
      const there = stored && readableRecordIn(stored, onWarning)
      if (there && there.nonce !== record.nonce)
        throw new AskError('CONFLICT', 'Another question has taken the place of this one')
      const changed = change(record)
      if ('unchanged' in changed) return changed.unchanged
      if (await write(changed, stored ? (stored.record?.version ?? null) : (ours?.version ?? null)))
        return changed
    }
  }

  return {
    async open(given, { mayAdopt = isBelievable } = {}) {
      const { toolCallId } = given
      if (byteLength(JSON.stringify(given)) > MAX_RECORD_BYTES)
        throw new AskError(
          'TOO_LARGE',
          `This question is longer than ${MAX_RECORD_BYTES} bytes. Shorten its texts, or put them into a file`,
          {
            facts: { toolCallId },
          },
        )
      for (;;) {
        const stored = await readOne(toolCallId)
        const found = readableRecordIn(stored, onWarning)
        if (found && !isSameQuestion(found, given))
          throw new AskError(
            'CONFLICT',
            'This tool call id is taken by other questions. Use a new id for each call',
            {
              facts: { toolCallId },
            },
          )
        if (found) known.set(toolCallId, { record: found, version: stored.record?.version ?? null })
        const isAdopted = found !== null && (await mayAdopt(found))
        const inForce = isAdopted ? await adopt(found, stored, given) : await askNew(given, stored)
        if (inForce) return inForce
      }
    },

    read,

    subscribe(toolCallId, options) {
      const find = async (): Promise<FoundAnswer> => {
        const found: FoundAnswer = { answerFile: null, isUnknown: false }
        const warn: OnWarning = (warning) => {
          found.warning = warning
        }
        try {
          const stored = await hub.latest(toolCallId)
          found.answerFile = stored && (await answerOf(stored, warn, options))
        } catch (error) {
          warn(warningOf(error, toolCallId))
          found.isUnknown = true
        }
        return found
      }
      return new SubscribedAnswers(
        { find, namesOf: () => [toolCallId], watch: hub.watch, onWarning },
        toolCallId,
        options,
      )
    },

    close: (toolCallId, reason) =>
      replace(toolCallId, (record) => {
        if (isSettled(record))
          throw new AskError(
            'CONFLICT',
            'This question has ended already, so it cannot be closed. Read its receipt',
            { facts: { toolCallId } },
          )
        return record.state === 'closing' ? { unchanged: record } : closeRecord(record, reason)
      }),

    async settle(toolCallId, receipt) {
      const settled = await replace(toolCallId, (record) => withReceipt(record, receipt))
      known.delete(toolCallId)
      return settled
    },
  }
}
