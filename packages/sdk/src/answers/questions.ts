import {
  AskError,
  type Clock,
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
import type { SigningKeys } from '../signing/signing-keys.ts'
import { channelOf } from './sandbox-channel.ts'
import { logWarning, type OnWarning } from './warnings.ts'

export interface LookOptions {
  /** What tells this host's own answers. Default: its own signingKeys, if it has any; `null` for none. */
  signingKeys?: SigningKeys | null
  /** Told of what is wrong in the sandbox's files, see `AnswerHandlerOptions`. Default: a line by `console.error`. */
  onWarning?: OnWarning
  /** Lists the questions of older SandAgent runners too, which record nothing. Default false. */
  olderRunners?: boolean
  clock?: Clock
}

const NAMES: OptionNames<LookOptions> = {
  signingKeys: true,
  onWarning: true,
  olderRunners: true,
  clock: true,
}

/** The questions of a sandbox that wait for a person, oldest first. */
export async function listQuestions(
  sandbox: AnswerableSandbox,
  given: LookOptions = {},
): Promise<QuestionView[]> {
  checkOptions('listQuestions: its options', given, NAMES)
  const { clock = systemClock, onWarning = logWarning, olderRunners, ...options } = given
  const channel = channelOf(sandbox, { onWarning, ...options, clock })
  return (await waitingQuestions(channel, { onWarning, olderRunners })).map((state) =>
    viewOf(state, clock.now()),
  )
}

/** Follows the questions of a sandbox: each that there is, whatever its state, and again after every change. */
export async function* watchQuestions(
  sandbox: AnswerableSandbox,
  given: LookOptions & { signal: AbortSignal },
): AsyncGenerator<QuestionView, void, void> {
  checkOptions('watchQuestions: its options', given, { ...NAMES, signal: true })
  const { signal, clock = systemClock, ...options } = given
  const channel = channelOf(sandbox, { onWarning: logWarning, ...options, clock })
  for await (const state of channel.subscribe(signal)) yield viewOf(state, clock.now())
}

/**
 * The questions that wait for a person: those that are recorded, and on demand those of older runners. Only the runner's
 * clock counts, so one that is overdue is among them.
 *
 * @param options.onWarning hears of those that cannot be read now, which are left out; without it, that is an error
 * @throws AskError `UNREACHABLE`
 */
export async function waitingQuestions(
  channel: HostChannel,
  {
    onWarning,
    olderRunners = false,
  }: { onWarning?: OnWarning | undefined; olderRunners?: boolean | undefined } = {},
): Promise<QuestionState[]> {
  const readOrWarn = async (toolCallId: string): Promise<QuestionState | null> => {
    try {
      return await channel.read(toolCallId)
    } catch (error) {
      if (!onWarning || !(error instanceof AskError && error.code === 'UNREACHABLE')) throw error
      onWarning({ code: error.code, message: error.message, toolCallId })
      return null
    }
  }

  const open = (await channel.questions({ unsettled: true })).filter(({ state }) => state === 'open')
  const states: QuestionState[] = []
  // One after the other: all at once, thousands of questions would take as many open files, and some would be missed.
  for (const { toolCallId } of open) {
    const state = await readOrWarn(toolCallId)
    const isOpen = state?.record?.state === 'open' && !(state.answerFile && isFinal(state.answerFile))
    if (isOpen) states.push(state)
  }
  return olderRunners ? [...states, ...((await channel.olderQuestions?.()) ?? [])] : states
}
