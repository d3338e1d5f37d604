import type { BoundAnswerFile, HostChannel } from '../channel.ts'
import { isFinal, mayChange } from '../compat/finality.ts'
import { checkOptions, type OptionNames } from '../lib/check-options.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { AskError } from '../lib/errors.ts'
import { byteLength } from '../lib/text/byte-length.ts'
import { unreachable } from '../lib/unreachable.ts'
import type { OnWarning } from '../lib/warnings/warning-codes.ts'
import { MAX_FILE_BYTES } from '../question/limits.ts'
import {
  type AnswerFile,
  type Authenticate,
  answerConflict,
  isMeantFor,
} from '../record/answer-file/answer-file.ts'
import { isSameRecord } from '../record/answer-file/record-identity.ts'
import { judgeState } from '../record/judge-state.ts'
import type { QuestionRecord } from '../record/question-record.ts'
import type { QuestionState } from '../record/question-state.ts'
import { followStates, oncePerRun } from './follow-states.ts'
import type { Candidates, HostQuestions, PublicKeys, StoredQuestion } from './question-store.ts'
import { answerIn, only, readableOrUnreachable, readableRecordIn } from './stored-texts.ts'
import { threadOf } from './thread-of.ts'

export interface HostChannelOptions {
  /** Called for malformed texts, and for receipts that tell of another answer than the stored one. */
  onWarning?: OnWarning | undefined
  /** Whether the run that asks has ended. A subscription calls it repeatedly for open questions. Default: nobody knows. */
  hasRunEnded?: ((record: QuestionRecord) => Promise<boolean>) | undefined
  /** Returns `null` for an answer file that the host did not sign. Default: all answer files count. */
  authenticate?: Authenticate | undefined
  /** The host's public keys, for a store that tells elsewhere which answers count. */
  publicKeys?: PublicKeys | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<HostChannelOptions> = {
  publicKeys: 'function',
  onWarning: 'function',
  hasRunEnded: 'function',
  authenticate: 'function',
  clock: 'clock',
}

/** How often an answer is written again whose question, or whose answer before, changes just then. */
const MOST_TRIES = 5

/** Of how many questions what was just read is remembered: a channel may live long, and most are only looked at. */
const MOST_JUST_READ = 100

/** Of how many questions a channel remembers that an answer does not count. */
const MOST_IGNORED = 1000

/** How many questions are read by one call of the store. */
const READ_AT_ONCE = 500

/** The host's end over a store. Any number of hosts may share it. */
export function createHostChannel(store: HostQuestions, options: HostChannelOptions = {}): HostChannel {
  checkOptions('createHostChannel', options, NAMES)
  const { onWarning = () => {}, publicKeys, clock = systemClock } = options
  const { authenticate = async (answerFile) => answerFile } = options
  const hasRunEnded = options.hasRunEnded && orUnreachable(options.hasRunEnded)
  const hasEnded = hasRunEnded ?? nobodyLooked

  /** The nonces of questions to which an answer was found that does not count. */
  const ignored = new Set<string>()
  const accept: Candidates['accept'] = async (answerFile, record) => {
    if (!record) return answerFile
    if (!isMeantFor(answerFile, record)) return null
    const counted = await authenticate(answerFile, record)
    if (counted) return counted
    ignored.add(record.nonce)
    const [oldest = ''] = ignored
    if (ignored.size > MOST_IGNORED) ignored.delete(oldest)
    return null
  }

  const candidates: Candidates = { accept, onWarning, ...(publicKeys && { publicKeys }) }

  const countedAnswer = async (
    stored: StoredQuestion,
    record: QuestionRecord | null,
    warn = onWarning,
  ): Promise<AnswerFile | null> => {
    if (stored.accepted !== undefined) return stored.accepted
    const answerFile = answerIn(stored, warn)
    return answerFile && accept(answerFile, record)
  }

  const stateOf = async (
    stored: StoredQuestion,
    record: QuestionRecord | null,
    ended = hasEnded,
  ): Promise<QuestionState> => {
    const { toolCallId, unpublished, runEnded, isUnread } = stored
    const state: QuestionState = { toolCallId }
    if (record) state.record = record
    const answerFile = await countedAnswer(stored, record)
    if (answerFile) state.answerFile = answerFile
    if (record && ignored.has(record.nonce) && !(answerFile && isFinal(answerFile))) state.ignored = true
    if (record?.follows) state.thread = await threadOf(record, readOne, countedAnswer)
    if (unpublished) state.unpublished = true
    if (isUnread) state.isUnread = true
    return judgeState(state, { hasRunEnded: runEnded ? async () => true : ended, onWarning })
  }

  /** What was read to admit an answer need not be read again to write it. A write that came in between is noticed. */
  const justRead = new Map<string, StoredQuestion>()
  const noteRead = (stored: StoredQuestion): QuestionRecord | null => {
    const record = readableOrUnreachable(stored)
    if (justRead.size >= MOST_JUST_READ) justRead.clear()
    justRead.set(stored.toolCallId, record ? { ...stored, parsed: record } : stored)
    return record
  }

  /** @returns what is stored then; `null` if another answer came in between */
  const writeAfter = async (
    stored: StoredQuestion,
    [answerFile, text]: [BoundAnswerFile, string],
    { expectedRevision, expectedRecord }: Parameters<HostChannel['write']>[1],
  ): Promise<StoredQuestion | null> => {
    const { toolCallId } = answerFile
    const record = readableOrUnreachable(stored)
    if (expectedRecord !== undefined && !isSameRecord(record, expectedRecord))
      throw new AskError('CONFLICT', 'Another question has taken the place of this one')
    if (record && !isMeantFor(answerFile, record))
      throw new AskError('CONFLICT', 'The question was asked again', { facts: { toolCallId } })
    const before = await countedAnswer(stored, record, refuseLaterVersion)
    if ((before && !mayChange(before)) || (before?.revision ?? 0) !== expectedRevision)
      throw answerConflict(before)
    const expected = stored.answer?.version ?? null
    const asked = record && stored.record && { record, version: stored.record.version }
    const after = await store.writeAnswer(toolCallId, text, {
      ...candidates,
      expected,
      asked,
      answerFile,
      // What cannot be read was told when the question was read.
      onWarning: () => {},
    })
    if (after?.answer?.text !== text) return null
    return asked && after.record?.version === asked.version ? { ...after, parsed: asked.record } : after
  }

  const readOne = async (toolCallId: string): Promise<StoredQuestion> =>
    only(toolCallId, await store.read([toolCallId], candidates))

  const page: HostChannel['page'] = async ({ unsettled, limit, after }) => {
    const all = await store.list({ unsettled, limit, ...(after && { after }), ...candidates })
    const records = all.flatMap((stored) => readableRecordIn(stored, onWarning) ?? [])
    const last = all.at(-1)
    // The place of the row, and not of its record: that may be malformed, or say another time.
    const next = all.length === limit && last ? { askedAt: last.askedAt, toolCallId: last.toolCallId } : null
    return { records, next }
  }

  return {
    questions: async ({ unsettled = false } = {}) =>
      (await page({ unsettled, limit: Number.POSITIVE_INFINITY, after: null })).records,

    page,

    async states(records) {
      const ended = oncePerRun(hasEnded)
      const listed = new Map(records.map((record) => [record.toolCallId, record]))
      const known = { ...candidates, recordOf: (id: string) => listed.get(id) }
      const states: (QuestionState | AskError)[] = []
      for (let from = 0; from < records.length; from += READ_AT_ONCE) {
        const some = records.slice(from, from + READ_AT_ONCE)
        const ids = some.map(({ toolCallId }) => toolCallId)
        const found = await store.read(ids, known)
        const stateAt = (record: QuestionRecord, index: number): Promise<QuestionState> | AskError => {
          const stored = found[index] as StoredQuestion
          return stored.error ?? stateOf(stored, record, ended)
        }
        states.push(...(await Promise.all(some.map(stateAt))))
      }
      return states
    },

    async read(toolCallId, { ofRun = true } = {}) {
      const stored = await readOne(toolCallId)
      return stateOf(stored, noteRead(stored), ofRun ? hasEnded : nobodyLooked)
    },

    async known(toolCallId) {
      const stored = (await store.latest?.(toolCallId)) ?? null
      return stored && stateOf(stored, noteRead(stored), nobodyLooked)
    },

    async withoutRecord() {
      const found = (await store.withoutRecord?.(candidates)) ?? []
      return Promise.all(found.map((stored) => stateOf(stored, null)))
    },

    async write(answerFile, of) {
      const { toolCallId } = answerFile
      const text = JSON.stringify(answerFile)
      if (byteLength(text) > MAX_FILE_BYTES)
        throw new AskError('TOO_LARGE', `This answer file is longer than ${MAX_FILE_BYTES} bytes`, {
          facts: { toolCallId },
        })
      const early = justRead.get(toolCallId)
      justRead.delete(toolCallId)
      let written = early ? await writeAfter(early, [answerFile, text], of).catch(orNullInConflict) : null
      // It writes nothing if something changed since it was read. If that was the answer, the next one throws.
      for (let tries = 0; !written && tries < MOST_TRIES; tries++)
        written = await writeAfter(await readOne(toolCallId), [answerFile, text], of)
      if (written) return readableOrUnreachable(written) ?? undefined
      const stored = await readOne(toolCallId)
      throw answerConflict(await countedAnswer(stored, readableOrUnreachable(stored)))
    },

    persist: async (toolCallId) => store.persist?.(toolCallId),

    subscribe: (signal, toolCallId) =>
      followStates(store, signal, {
        toolCallId,
        ...candidates,
        stateOf: (stored) => stateOf(stored, readableRecordIn(stored, onWarning)),
        ignores: ({ parsed }) => parsed !== undefined && ignored.has(parsed.nonce),
        hasRunEnded,
        clock,
      }),
  }
}

/** For a state of which nobody asks, or knows, whether its run has ended. */
const nobodyLooked = async (): Promise<boolean> => false

/** Whether the run has ended is a part of what is read. @throws AskError `UNREACHABLE` if the system fails */
const orUnreachable =
  (hasRunEnded: (record: QuestionRecord) => Promise<boolean>) =>
  async (record: QuestionRecord): Promise<boolean> => {
    try {
      return await hasRunEnded(record)
    } catch (error) {
      throw unreachable('This question cannot be read', error)
    }
  }

/** The answer of a later version must not be written over. What else cannot be read was told when the question was read. */
const refuseLaterVersion: OnWarning = ({ code, message }) => {
  if (code === 'UNREACHABLE') throw new AskError('UNREACHABLE', message)
}

function orNullInConflict(error: unknown): null {
  if (error instanceof AskError && error.code === 'CONFLICT') return null
  throw error
}
