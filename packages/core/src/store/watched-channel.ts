import type { OpenOptions, ReadOptions, RunnerChannel } from '../channel.ts'
import { type ExcludesEarlier, earlierAnswers, excluding } from '../compat/earlier-answers.ts'
import { isFinal } from '../compat/finality.ts'
import { AskError } from '../lib/errors.ts'
import { warningOf } from '../lib/warnings/warning.ts'
import type { OnWarning } from '../lib/warnings/warning-codes.ts'
import { type AnswerFile, isMeantFor } from '../record/answer-file/answer-file.ts'
import {
  closeRecord,
  isSettled,
  type OpenRecord,
  type QuestionRecord,
  withReceipt,
} from '../record/question-record.ts'
import { isAccountedFor } from '../record/receipt.ts'
import { adoptedBy, isReadableFor, isSameQuestion } from './adoption.ts'
import type { Candidates, StoredQuestion, WatchedQuestions } from './question-store.ts'
import { checkRecordSize } from './record-size.ts'
import { answerIn, only, ownRecordIn, readableRecordIn, taken, unreadAnswer } from './stored-texts.ts'
import { type AnswerSource, type FoundAnswer, SubscribedAnswers } from './subscribed-answers.ts'

export interface RunnerChannelOptions {
  /** Called for malformed texts, and while the store is out of reach. */
  onWarning?: OnWarning | undefined
}

/**
 * What is known of a question that this process has opened. The record counts, even if somebody changed the stored one. A
 * stored one with another nonce is another question, and stays.
 */
interface Known {
  record: QuestionRecord
  version: string | null
  /** What was stored when it closed. */
  after?: StoredQuestion
}

type Judged = Required<Omit<Candidates, 'publicKeys'>>

interface Found {
  stored: StoredQuestion
  /** The answers that are there, and say not which question they answer. */
  earlier: ExcludesEarlier
}

/** The runner's end over a store that tells of each question that waits. */
export function createWatchedChannel(
  store: WatchedQuestions,
  { onWarning = () => {} }: RunnerChannelOptions = {},
): RunnerChannel {
  const known = new Map<string, Known>()
  const recordOf = (toolCallId: string): QuestionRecord | undefined => known.get(toolCallId)?.record

  const readOne = async (toolCallId: string, candidates?: Candidates): Promise<StoredQuestion> =>
    only(toolCallId, await store.read([toolCallId], candidates))

  /** @returns what is stored then; `null` if another version is there */
  const write = async (record: QuestionRecord, expected: string | null): Promise<StoredQuestion | null> => {
    const { toolCallId, runId, askedAt } = record
    const facts = { runId, askedAt, isSettled: isSettled(record) }
    const after = await store.writeRecord(toolCallId, JSON.stringify(record), { expected, facts })
    if (!after) return null
    const now: Known = { record, version: after.record?.version ?? null }
    if (record.state === 'closing' && !after.isUnread) now.after = after
    known.set(toolCallId, now)
    return after
  }

  const acceptedIn = (
    stored: StoredQuestion,
    { accept, onWarning: warn }: Judged,
  ): Promise<AnswerFile | null> | AnswerFile | null => {
    if (stored.accepted !== undefined) return stored.accepted
    const answerFile = answerIn(stored, warn)
    const record = recordOf(stored.toolCallId) ?? readableRecordIn(stored, () => {})
    return answerFile && (!record || isMeantFor(answerFile, record)) ? accept(answerFile, record) : null
  }

  /** The answer in what `readStored` gives, and the warning about what cannot be read. */
  const find = async (
    toolCallId: string,
    readStored: NonNullable<WatchedQuestions['latest']>,
    { accept = async (answerFile) => answerFile }: ReadOptions = {},
  ): Promise<FoundAnswer> => {
    const found: FoundAnswer = { answerFile: null, isUnknown: false }
    const noteWarning: OnWarning = (warning) => {
      found.warning = warning
    }
    const candidates: Judged = { recordOf, accept, onWarning: noteWarning }
    const stored = await readStored(toolCallId, candidates)
    found.isUnknown = stored?.isUnread ?? false
    found.answerFile = stored && (await acceptedIn(stored, candidates))
    return found
  }

  /** What was stored when the question closed has every answer that was acknowledged before. */
  const readOrAfter: typeof readOne = (toolCallId, candidates) =>
    readOne(toolCallId, candidates).catch((error: unknown) => {
      const after = known.get(toolCallId)?.after
      if (after) return after
      throw error
    })

  const read = async (toolCallId: string, of?: ReadOptions): Promise<AnswerFile | null> => {
    const { answerFile, warning, isUnknown } = await find(toolCallId, readOrAfter, of)
    if (isUnknown && !(answerFile && isFinal(answerFile))) throw unreadAnswer(toolCallId, warning)
    if (!answerFile && warning) onWarning(warning)
    return answerFile
  }

  /** The agent may have written the record: a receipt counts only if a host stored the answer to it. */
  const isBelievable = async (found: QuestionRecord): Promise<boolean> =>
    !isSettled(found) || isAccountedFor(found, await read(found.toolCallId))

  const lookFor = async (
    toolCallId: string,
    given?: StoredQuestion,
    of?: Pick<Candidates, 'recordOf'>,
  ): Promise<Found> => {
    const found: AnswerFile[] = []
    const accept = async (answerFile: AnswerFile): Promise<null> => {
      found.push(answerFile)
      return null
    }
    const stored = given ?? (await readOne(toolCallId, { ...of, accept }))
    const answerFile = stored.accepted === undefined ? answerIn(stored, () => {}) : null
    if (answerFile) found.push(answerFile)
    return { stored, earlier: earlierAnswers(found, stored) }
  }

  /**
   * Asks a new question. Answers that are there already were not given to it.
   *
   * @returns the new record; `null` if somebody else wrote first
   */
  const askNew = async (
    given: OpenRecord,
    { stored, earlier }: Found,
    version = stored.record?.version ?? null,
  ): Promise<OpenRecord | null> => {
    const record = excluding(given, earlier)
    const after = await write(record, version)
    if (!after) return null
    // An answer may have come in between. It was not given to this question either.
    const since = await lookFor(record.toolCallId, after.isUnread ? undefined : after, { recordOf })
    return excluding(record, since.earlier) === record
      ? record
      : askNew(record, since, after.record?.version ?? null)
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

  const open = async (
    given: OpenRecord,
    { mayAdopt = isBelievable }: OpenOptions = {},
  ): Promise<QuestionRecord> => {
    const { toolCallId } = given
    checkRecordSize(toolCallId, JSON.stringify(given))
    const asked = store.asker ? Object.assign({}, given, await store.asker()) : given
    for (;;) {
      const there = await lookFor(toolCallId)
      const { stored } = there
      const found = ownRecordIn(stored, onWarning)
      if (found && !isSameQuestion(found, asked)) throw taken(toolCallId)
      if (found) known.set(toolCallId, { record: found, version: stored.record?.version ?? null })
      const isAdopted = found !== null && isReadableFor(asked, found) && (await mayAdopt(found))
      const inForce = isAdopted
        ? await adopt(found, stored, asked)
        : await askNew(excluding(asked, found), there)
      if (inForce) return inForce
    }
  }

  /** Replaces the record in force, also if another process wrote the same question meanwhile. */
  const replace = async <R extends QuestionRecord>(
    toolCallId: string,
    change: (record: QuestionRecord) => R | { unchanged: R },
  ): Promise<R> => {
    for (let isFirst = true; ; isFirst = false) {
      const ours = known.get(toolCallId)
      const stored = ours && isFirst ? null : await readOne(toolCallId)
      const there = stored && readableRecordIn(stored, onWarning)
      const record = ours?.record ?? there
      if (!record)
        throw new AskError('NOT_FOUND', 'This question was never asked. Call open before close and settle', {
          facts: { toolCallId },
        })
      if (there && there.nonce !== record.nonce)
        throw new AskError('CONFLICT', 'Another question has taken the place of this one')
      const changed = change(record)
      if ('unchanged' in changed) return changed.unchanged
      if (await write(changed, stored ? (stored.record?.version ?? null) : (ours?.version ?? null)))
        return changed
    }
  }

  const source: AnswerSource = {
    find: (toolCallId, of) =>
      find(toolCallId, store.latest ?? readOne, of).catch((error: unknown) => ({
        answerFile: null,
        warning: warningOf(error, toolCallId),
        isUnknown: true,
      })),
    watch: (watcher) => store.watch(watcher, recordOf),
    onWarning,
  }

  return {
    open,
    recordOf: async (toolCallId) =>
      readableRecordIn(await readOne(toolCallId), onWarning) ?? recordOf(toolCallId) ?? null,
    read,
    subscribe: (toolCallId, of) => new SubscribedAnswers(source, toolCallId, of),
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

    async leave(toolCallId) {
      const ours = known.get(toolCallId)
      if (ours?.record.state === 'open') await write({ ...ours.record, left: true }, ours.version)
    },

    async settle(toolCallId, receipt) {
      const settled = await replace(toolCallId, (record) => withReceipt(record, receipt))
      known.delete(toolCallId)
      return settled
    },
  }
}
