import {
  AskError,
  checkOptions,
  type HostChannel,
  isFinal,
  type OptionNames,
  type QuestionState,
  type QuestionView,
  systemClock,
  viewOf,
} from '@sandagent/core/internal'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { channelOf, type HostOptions } from './sandbox-channel.ts'
import { logWarning } from './warnings.ts'

export interface LookOptions extends HostOptions {
  /** Also shows questions that are answered or have ended. Default false: only those that wait for a person. */
  all?: boolean | undefined
  /** Also lists the questions of older SandAgent runners, which record nothing. Default false. */
  olderRunners?: boolean | undefined
}

const NAMES: OptionNames<LookOptions> = {
  all: true,
  signingKeys: true,
  onWarning: 'function',
  olderRunners: true,
  clock: 'clock',
}

/** Lists the questions of a sandbox, oldest first. */
export async function listQuestions(
  sandbox: AnswerableSandbox,
  given: LookOptions = {},
): Promise<QuestionView[]> {
  checkOptions('listQuestions: its options', given, NAMES)
  const { clock = systemClock, onWarning = logWarning, signingKeys, olderRunners, all } = given
  const channel = channelOf(sandbox, { onWarning, signingKeys, clock })
  const states = await questionsOf(channel, { onWarning, olderRunners, all })
  return states.map((state) => viewOf(state, clock.now()))
}

/** Yields every question, and again after each change. Without `all`, one that no longer waits is shown a last time. */
export async function* watchQuestions(
  sandbox: AnswerableSandbox,
  given: LookOptions & { signal: AbortSignal },
): AsyncGenerator<QuestionView, void, void> {
  checkOptions('watchQuestions: its options', given, { ...NAMES, signal: 'signal' })
  const { signal, clock = systemClock, onWarning = logWarning, signingKeys, olderRunners, all } = given
  const channel = channelOf(sandbox, { onWarning, signingKeys, clock })
  const waiting = new Set<string>()
  for await (const state of channel.subscribe(signal)) {
    const hasWaited = waiting.delete(state.toolCallId)
    const waits = isWaiting(state, olderRunners)
    if (waits) waiting.add(state.toolCallId)
    if (all || waits || hasWaited) yield viewOf(state, clock.now())
  }
}

/** Whether a question waits for a person. Only the runner's clock ends a question, so an overdue one may still wait. */
const isWaiting = ({ record, answerFile }: QuestionState, olderRunners = false): boolean =>
  record
    ? record.state === 'open' && !(answerFile && isFinal(answerFile))
    : olderRunners && answerFile?.status === 'pending'

/**
 * The questions that wait for a person, or all.
 *
 * @param options.onWarning called for questions that cannot be read, which are left out
 * @throws AskError `UNREACHABLE` for such a question, without `onWarning`
 */
export async function questionsOf(
  channel: HostChannel,
  { onWarning, olderRunners, all = false }: Pick<LookOptions, 'all' | 'onWarning' | 'olderRunners'> = {},
): Promise<QuestionState[]> {
  const readOrWarn = async (toolCallId: string): Promise<QuestionState[]> => {
    try {
      return [await channel.read(toolCallId)]
    } catch (error) {
      if (!onWarning || !(error instanceof AskError && error.code === 'UNREACHABLE')) throw error
      onWarning({ code: error.code, message: error.message, toolCallId })
      return []
    }
  }

  const records = await channel.questions({ unsettled: !all })
  const states: QuestionState[] = []
  // One after the other: thousands of questions at once would need as many open files.
  for (const { toolCallId, state } of records)
    if (all || state === 'open') states.push(...(await readOrWarn(toolCallId)))
  const older = olderRunners ? ((await channel.olderQuestions?.()) ?? []) : []
  return [...states.filter((state) => all || isWaiting(state)), ...older]
}
