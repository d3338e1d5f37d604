// Why it is so: docs/decisions/0070-a-mirrored-answer-waits-for-its-sandbox.md

import {
  type AnswerFile,
  AskError,
  allFilesIn,
  type BoundAnswerFile,
  backOffMs,
  type Clock,
  checkOptions,
  createWakeSignal,
  distinctWarnings,
  type HostChannel,
  identityOf,
  isMeantFor,
  isSettled,
  mayChange,
  type OptionNames,
  parseAnswerFile,
  type QuestionRecord,
  sleep,
  systemClock,
  warningOf,
} from '@sandagent/core/internal'
import type { QuestionStore, StoredQuestion } from '@sandagent/core/store'
import type { FleetStore } from '@sandagent/fleet'
import {
  type AnswerableSandbox,
  channelOf,
  copyAttachments,
  logWarning,
  type OnWarning,
  type SigningKeys,
} from '@sandagent/sdk/internal'
import pLimit from 'p-limit'
import type { MirroredText } from './delivery.ts'
import { runRegistrar } from './run-registrar.ts'

export interface MirrorOptions {
  fleet: FleetStore
  /** Where the fleet finds the questions of this sandbox. One sandbox for each namespace. */
  namespace: string
  /** Ends the mirror. */
  signal: AbortSignal
  signingKeys?: SigningKeys | null | undefined
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<MirrorOptions> = {
  fleet: true,
  namespace: true,
  signal: 'signal',
  signingKeys: true,
  onWarning: 'function',
  clock: 'clock',
}

const AT_ONCE = 16

/** The pause before what failed is tried again. While nothing succeeds, it doubles up to the longest. */
const AGAIN_MS = 500
const LONGEST_AGAIN_MS = 8000

/**
 * Shows the questions of a sandbox to the whole fleet, and brings the fleet's answers to the sandbox, until the signal aborts.
 * The files stay the truth: an answer of the fleet counts once it is in the sandbox, and its host waits for that. One host of
 * the fleet mirrors a sandbox; two do no harm.
 */
export async function mirrorQuestions(sandbox: AnswerableSandbox, options: MirrorOptions): Promise<void> {
  checkOptions('mirrorQuestions: its options', options, NAMES)
  const { fleet, namespace, signal, signingKeys, onWarning = logWarning, clock = systemClock } = options
  const channel = channelOf(sandbox, { signingKeys, onWarning, clock })
  const questions = fleet.questions(namespace)
  const enterRun = runRegistrar(sandbox, fleet, namespace, { clock })
  const wake = createWakeSignal(signal)
  const due = new Set<string>()
  const add = ({ toolCallId }: { toolCallId: string }): void => {
    due.add(toolCallId)
    wake.ring()
  }

  const follow = async <T>(subscribe: () => AsyncIterable<T>, take: (change: T) => void): Promise<void> => {
    while (!signal.aborted) {
      try {
        for await (const change of subscribe()) take(change)
      } catch (error) {
        onWarning(warningOf(error))
      }
      await sleep(clock, AGAIN_MS, signal)
    }
  }
  const following = [
    follow(() => channel.subscribe(signal), add),
    follow(
      () => questions.subscribe(signal),
      (changed) => changed.forEach(add),
    ),
  ]

  /** One pause counts for all of them: pauses of their own would grow in number with each change of a question. */
  const failed = new Set<string>()
  let pauses = 0
  const tryAgain = async (): Promise<void> => {
    await sleep(clock, backOffMs(++pauses, AGAIN_MS, LONGEST_AGAIN_MS), signal)
    const toolCallIds = [...failed]
    failed.clear()
    for (const toolCallId of toolCallIds) add({ toolCallId })
  }
  const warnOfFiles = distinctWarnings(onWarning)
  const mirror = async (toolCallId: string): Promise<void> => {
    try {
      const sides = { sandbox, channel, questions, enterRun, warnOfFiles }
      if (!(await mirrorOne(sides, toolCallId))) add({ toolCallId })
      pauses = 0
    } catch (error) {
      onWarning(warningOf(error, toolCallId))
      if (failed.size === 0) void tryAgain()
      failed.add(toolCallId)
    }
  }
  while (!signal.aborted) {
    const toolCallIds = [...due]
    due.clear()
    await pLimit(AT_ONCE).map(toolCallIds, mirror)
    if (due.size === 0) await wake.sleep()
  }
  await Promise.all(following)
}

interface Sides {
  sandbox: AnswerableSandbox
  channel: HostChannel
  questions: QuestionStore
  enterRun: (record: QuestionRecord, hasEnded: boolean) => Promise<void>
  /** Tells of the files that stayed away. */
  warnOfFiles: ReturnType<typeof distinctWarnings>
}

/** Brings both sides to the same state. @returns whether that is done; otherwise somebody wrote meanwhile */
async function mirrorOne(
  { sandbox, channel, questions, enterRun, warnOfFiles }: Sides,
  toolCallId: string,
): Promise<boolean> {
  let { record, answerFile, unpublished, runEnded = false } = await channel.read(toolCallId)
  const [stored] = await questions.read([toolCallId])
  // Questions that had ended before the mirror began are nobody's business.
  if (!stored || !record || (isSettled(record) && !stored.record)) return true
  // A question that is left says nothing of its run.
  if (!record.left || !stored.record) await enterRun(record, runEnded && !record.left)

  const given = answerFor(record, stored)
  if (given && !isSettled(record) && isAhead(given, answerFile)) {
    const files = allFilesIn(given)
    warnOfFiles(toolCallId, await copyAttachments({ questions }, sandbox, { toolCallId, files }))
    await deliver(channel, given, record, answerFile)
    const after = await channel.read(toolCallId)
    if (!after.record) return false
    record = after.record
    answerFile = after.answerFile
    unpublished = after.unpublished
  }
  if (answerFile && !(given && isSameAnswer(given, answerFile))) {
    const files = allFilesIn(answerFile)
    warnOfFiles(toolCallId, await copyAttachments(sandbox, { questions }, { toolCallId, files }))
    const text = JSON.stringify(answerFile)
    const written = await questions.writeAnswer(toolCallId, text, {
      expected: stored.answer?.version ?? null,
    })
    if (!written) return false
  }
  // It is tried again: reading the question publishes its answer.
  if (unpublished && !isSettled(record))
    throw new AskError('UNREACHABLE', 'This answer is stored, and cannot be put where its agent looks')
  const shown: QuestionRecord & MirroredText = { ...record, mirror: { delivered: answerFile?.revision ?? 0 } }
  const text = JSON.stringify(shown)
  if (text === stored.record?.text) return true
  const { runId, askedAt } = record
  if (answerFile) await channel.persist(toolCallId)
  const written = await questions.writeRecord(toolCallId, text, {
    expected: stored.record?.version ?? null,
    facts: { runId, askedAt, isSettled: isSettled(record) },
  })
  return written !== null
}

/** Stores an answer of the fleet in the sandbox. If another one came first there, that one counts. */
async function deliver(
  channel: HostChannel,
  answerFile: BoundAnswerFile,
  record: QuestionRecord,
  before: AnswerFile | undefined,
): Promise<void> {
  const expected = { expectedRevision: before?.revision ?? 0, expectedRecord: identityOf(record) }
  try {
    await channel.write(answerFile, expected)
  } catch (error) {
    if (!(error instanceof AskError && error.code === 'CONFLICT')) throw error
  }
}

/** The answer that the fleet has for this question. */
function answerFor(record: QuestionRecord, { toolCallId, answer }: StoredQuestion): BoundAnswerFile | null {
  if (!answer) return null
  const answerFile = parseAnswerFile(answer.text, toolCallId)
  const { revision } = answerFile
  return revision !== undefined && isMeantFor(answerFile, record)
    ? { ...answerFile, toolCallId, revision }
    : null
}

const isAhead = (given: BoundAnswerFile, there: AnswerFile | undefined): boolean =>
  !there || (mayChange(there) && given.revision > (there.revision ?? 0))

/** The sandbox may give the keys in another order than the store. */
const isSameAnswer = (one: AnswerFile, other: AnswerFile): boolean =>
  one.revision === other.revision &&
  one.status === other.status &&
  one.timestamp === other.timestamp &&
  one.signature === other.signature
