import {
  type CognipeerResolution,
  type CognipeerState,
  formatAnswer,
  formatEvent,
  type PendingUserQuestion,
  parseRequest,
  resolveUserQuestion,
  type UserQuestionEvent,
} from '@sandagent/core/dialects/cognipeer'
import {
  AskError,
  type AskedQuestion,
  type Asker,
  checkOptions,
  isSettled,
  type OptionNames,
  type RunnerChannel,
} from '@sandagent/core/internal'
import type { AskOptions } from '../../ask/ask-options.ts'
import { askUser } from '../../ask/ask-user.ts'

export interface AskPendingOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'onWarning'> {
  channel: RunnerChannel
  runId: string
  /** Ends the wait. Questions without an answer stay pending in the state and open in the channel. */
  detachSignal?: AbortSignal | undefined
  /** Called when a question can be answered, and when it is decided. */
  onEvent?: ((event: UserQuestionEvent) => void) | undefined
}

const NAMES: OptionNames<AskPendingOptions> = {
  channel: true,
  runId: true,
  timeoutMs: true,
  timeoutPolicy: true,
  detachSignal: 'signal',
  onEvent: 'function',
  onWarning: 'function',
  clock: 'clock',
}

/** Without a resolution, the entry is left for the next call. */
interface Decided {
  entry: PendingUserQuestion
  resolution?: CognipeerResolution
  /** ISO 8601. */
  answeredAt?: string
}

/**
 * Asks all pending questions of a Cognipeer agent's state at once. Resolves to the state with the answers: invoke the
 * agent with it. Another process may ask the same state again and gets the answers that came meanwhile. A question that
 * timed out, was declined or cannot be shown is cancelled in the state, with notes for the model.
 *
 * @throws AskError as `askUser` does.
 */
export async function askPending<S extends CognipeerState>(state: S, given: AskPendingOptions): Promise<S> {
  checkOptions('askPending: its options', given, NAMES)
  const { channel, runId, onEvent, ...options } = given
  const ask = async (entry: PendingUserQuestion): Promise<Decided> => {
    const { toolCallId, toolName, allowFreeText, metadata } = entry
    const questions = questionsOf(entry.questions, allowFreeText)
    if (questions instanceof AskError)
      return { entry, resolution: { cancelled: true, notes: questions.message } }
    const outcome = await askUser(
      channel,
      { toolCallId, toolName, questions, runId, asker: askerIn(metadata), takesQuestions: true },
      {
        ...options,
        onAsked: (record) => {
          if (!isSettled(record)) onEvent?.(formatEvent(entry))
        },
      },
    )
    if (outcome.kind === 'aborted' && options.detachSignal?.aborted) return { entry }
    return { entry, resolution: formatAnswer(outcome), answeredAt: outcome.settledAt }
  }
  const pending = (state.pendingUserQuestions ?? []).filter(({ status }) => status === 'pending')
  const asked = await Promise.all(pending.map(ask))
  return asked.reduce((before, { entry: { id }, resolution, answeredAt }) => {
    if (!resolution) return before
    const after = resolveUserQuestion(before, { id, ...resolution }, answeredAt ? { answeredAt } : {})
    const decided = after.pendingUserQuestions?.find((entry) => entry.id === id)
    if (decided) onEvent?.(formatEvent(decided))
    return after
  }, state)
}

/** The questions, or why they cannot be shown. */
function questionsOf(
  questions: PendingUserQuestion['questions'],
  allowFreeText: boolean | undefined,
): AskedQuestion[] | AskError {
  try {
    return parseRequest({ questions }, { allowFreeText })
  } catch (error) {
    if (error instanceof AskError && error.code === 'INVALID_QUESTIONS') return error
    throw error
  }
}

/** The subagent that Cognipeer's runtime names in the metadata. */
function askerIn(metadata: PendingUserQuestion['metadata']): Asker | undefined {
  const below = metadata?.__subagent
  if (!below) return undefined
  const { name, parentToolCallId } = below as { name?: unknown; parentToolCallId?: unknown }
  return {
    ...(isFilled(name) && { agent: name }),
    ...(isFilled(parentToolCallId) && { parentToolCallId }),
  }
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
