// Why it is so: docs/decisions/0020-what-is-signed-counts.md

import {
  type AnswerFile,
  AskError,
  type ChannelWarning,
  type Clock,
  checkOptions,
  invalid,
  isAccountedFor,
  isSettled,
  mayChange,
  type OptionNames,
  passkeysIn,
  type QuestionRecord,
  questionDigestOf,
  type ReadOptions,
  type RunnerChannel,
  type RunPasskeys,
  reportIncident,
  systemClock,
} from '@sandagent/core/internal'
import type { JSONWebKeySet } from 'jose'
import { askedIn, demandOn, loadPasskeyVerifier, missingPasskey } from './check-passkeys.ts'
import { createVerifier, type Forgery } from './verify-answer.ts'

export interface VerifiedChannelOptions {
  /** The host's public keys, see `parsePublicKeys`. Each of them may sign. */
  publicKeys: JSONWebKeySet
  /**
   * The passkeys of the people, and which calls they must sign for: see `forRun` of `openPasskeys`. It needs
   * `@simplewebauthn/server`. Default: what `SANDAGENT_PASSKEYS` holds. Without both, no call needs one.
   */
  passkeys?: RunPasskeys | undefined
  /** Earlier runs whose questions and answers this run may adopt. Default none. */
  continues?: readonly string[] | undefined
  /** Called for the 1st, 10th, 100th, … forgery of each kind. The kind is the warning's code. */
  onWarning?: ((warning: ChannelWarning) => void) | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<VerifiedChannelOptions> = {
  publicKeys: true,
  passkeys: true,
  continues: true,
  onWarning: true,
  clock: true,
}

export interface VerifiedChannel extends RunnerChannel {
  /** How many forgeries were ignored so far. */
  readonly forgeries: number
}

interface Asked {
  record: QuestionRecord
  runIds: readonly string[]
  /** The highest revision that was passed on. */
  revision: number
  forgeries: string[]
}

/** How many forgeries of a question are remembered. Every read finds the same ones again. */
const MOST_FORGERIES = 8

/**
 * Wraps a channel so that it passes on only what the host signed for this question and this run, drafts included. It
 * reads the signed claims, not the rest of the answer file. It accepts an existing receipt only if a signed answer
 * matches it. Otherwise the question is asked again.
 */
export function createVerifiedChannel(
  channel: RunnerChannel,
  options: VerifiedChannelOptions,
): VerifiedChannel {
  checkOptions('createVerifiedChannel: its options', options, NAMES)
  if (!Array.isArray(options.publicKeys?.keys))
    throw invalid('INVALID_REQUEST', 'createVerifiedChannel: its options', [
      { path: 'publicKeys', expected: 'the public keys of the host, as parsePublicKeys reads them' },
    ])
  const { publicKeys, continues = [], onWarning = () => {}, clock = systemClock } = options
  const { passkeys = passkeysIn(process.env) } = options
  const verify = createVerifier(publicKeys, clock)
  const keyIds = publicKeys.keys.flatMap(({ kid = [] }) => kid)
  // A key without an id may be any key of the host.
  const named = keyIds.length === publicKeys.keys.length ? { publicKeyIds: keyIds } : {}
  const asked = new Map<string, Asked>()
  const counts = new Map<keyof typeof MESSAGES, number>()

  const report = (toolCallId: string, code: keyof typeof MESSAGES, why = ''): void => {
    const count = (counts.get(code) ?? 0) + 1
    counts.set(code, count)
    reportIncident({ name: 'forgery', code, toolCallId })
    if (/^10*$/.test(String(count)))
      onWarning({
        code,
        message: `${MESSAGES[code]}${why}${count > 1 ? `, the ${count}th` : ''}`,
        toolCallId,
      })
  }

  /** What was made of signed claims here. A channel that wraps another one may ignore `accept`, so each answer comes twice. */
  const made = new WeakSet<AnswerFile>()

  const genuine = async (answerFile: AnswerFile, question: Asked): Promise<AnswerFile | null> => {
    if (made.has(answerFile)) return answerFile
    const verdict = await verify(answerFile, question.record, question.runIds)
    const why =
      passkeys && 'answerFile' in verdict
        ? await missingPasskey(verdict.answerFile, question.record, passkeys)
        : null
    // A final answer is never older: it ends the question, whatever was drafted meanwhile.
    if (
      why === null &&
      'answerFile' in verdict &&
      (verdict.revision >= question.revision || !mayChange(verdict.answerFile))
    ) {
      question.revision = Math.max(question.revision, verdict.revision)
      made.add(verdict.answerFile)
      return verdict.answerFile
    }
    const content = JSON.stringify(answerFile)
    if (!question.forgeries.includes(content)) {
      const { toolCallId } = question.record
      if (why !== null) report(toolCallId, 'PASSKEY_NEEDED', `: ${why}`)
      else report(toolCallId, 'answerFile' in verdict ? 'ROLLED_BACK' : verdict.forgery)
      question.forgeries = [content, ...question.forgeries].slice(0, MOST_FORGERIES)
    }
    return null
  }

  const acceptFor = (question: Asked): ReadOptions => ({
    accept: (answerFile) => genuine(answerFile, question),
  })

  const read = async (question: Asked): Promise<AnswerFile | null> => {
    const answerFile = await channel.read(question.record.toolCallId, acceptFor(question))
    return answerFile && genuine(answerFile, question)
  }

  /** The agent may have written the found record itself. So its run and its receipt are checked. */
  const isGenuine = async (found: QuestionRecord, runIds: readonly string[]): Promise<boolean> => {
    if (![found.runId, found.passkeys?.runId ?? found.runId].every((runId) => runIds.includes(runId)))
      return false
    if (!isSettled(found)) return true
    const answerFile = await read({ record: found, runIds, revision: 0, forgeries: [] })
    if (isAccountedFor(found, answerFile)) return true
    report(found.toolCallId, 'FORGED_RECEIPT')
    return false
  }

  return {
    get forgeries() {
      return [...counts.values()].reduce((sum, count) => sum + count, 0)
    },
    recordOf: (toolCallId) => channel.recordOf(toolCallId),
    async open(record, { mayAdopt = async () => true } = {}) {
      const runIds = [record.runId, ...continues]
      let adopted: string | null = null
      const demand = demandOn(record, passkeys)
      if (demand) await loadPasskeyVerifier()
      const inForce = await channel.open(
        {
          ...record,
          questions: askedIn(record, passkeys),
          ...named,
          ...(demand && { passkeys: demand }),
        },
        {
          async mayAdopt(found) {
            if (!(await mayAdopt(found)) || !(await isGenuine(found, runIds))) return false
            adopted = found.nonce
            return true
          },
        },
      )
      if (inForce.nonce !== record.nonce && inForce.nonce !== adopted)
        throw new AskError('CONFLICT', 'This channel takes up questions that nobody has verified', {
          facts: { toolCallId: record.toolCallId },
        })
      // An answer is compared with it. Nobody waits for it yet.
      questionDigestOf(inForce)
      asked.set(record.toolCallId, { record: inForce, runIds, revision: 0, forgeries: [] })
      return inForce
    },
    async read(toolCallId) {
      const question = asked.get(toolCallId)
      return question ? read(question) : null
    },
    subscribe(toolCallId) {
      const question = asked.get(toolCallId)
      if (!question) return { next: async () => null, close() {} }
      const answers = channel.subscribe(toolCallId, acceptFor(question))
      return {
        async next() {
          for (let found = await answers.next(); found; found = await answers.next()) {
            const answer = await genuine(found, question)
            if (answer) return answer
          }
          return null
        },
        close: () => answers.close(),
      }
    },
    close: (toolCallId, reason) => channel.close(toolCallId, reason),
    leave: (toolCallId) => channel.leave(toolCallId),
    ...filesOf(channel),
    async settle(toolCallId, receipt) {
      const settled = await channel.settle(toolCallId, receipt)
      asked.delete(toolCallId)
      return settled
    },
  }
}

/** For a channel that wraps another one: its files, if it has any. */
export const filesOf = (channel: RunnerChannel): Pick<RunnerChannel, 'fileAt' | 'readFile'> => ({
  ...(channel.fileAt && { fileAt: channel.fileAt.bind(channel) }),
  ...(channel.readFile && { readFile: channel.readFile.bind(channel) }),
})

const MESSAGES: Readonly<Record<Forgery | 'FORGED_RECEIPT' | 'PASSKEY_NEEDED', string>> = {
  UNSIGNED: 'An answer that is not signed was ignored',
  BAD_SIGNATURE: 'An answer whose signature is not the host’s was ignored',
  SIGNATURE_EXPIRED: 'An answer whose signature has expired was ignored',
  WRONG_QUESTION: 'An answer that was signed for another question was ignored',
  REPLAYED: 'An answer that was signed for an earlier question or another run was ignored',
  ROLLED_BACK: 'An older answer in the place of a newer one was ignored',
  PASSKEY_NEEDED: 'An answer that no passkey has signed was ignored',
  FORGED_RECEIPT: 'A receipt without a signed answer was there before the question, which is asked again',
}
