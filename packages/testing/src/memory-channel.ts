import {
  type Clock,
  checkOptions,
  type HostChannel,
  type OnWarning,
  type RunnerChannel,
} from '@sandagent/core/internal'
import { createHostChannel, createRunnerChannel } from '@sandagent/core/store'
import { createMemoryFleet } from '@sandagent/fleet'
import type { AnswerableSandbox } from '@sandagent/sdk/internal'

/** Both ends of one channel in the memory of this process. */
export interface MemoryChannel {
  /** For `askUser`. */
  readonly runner: RunnerChannel
  /** For `startPerson`. */
  readonly host: HostChannel
  /** The same questions for `submitAnswer`, `listQuestions` and `createAnswerHandler`. It has no files and runs no programs. */
  readonly sandbox: AnswerableSandbox
}

export interface MemoryChannelOptions {
  /** Give `askUser` and `startPerson` the same. Default: the system's. */
  clock?: Clock | undefined
  onWarning?: OnWarning | undefined
}

/** The folder of the questions in their store. */
const NAMESPACE = 'test'

/** Makes a channel for tests, with the same rules as every other channel. It leaves nothing behind. */
export function createMemoryChannel(options: MemoryChannelOptions = {}): MemoryChannel {
  checkOptions('createMemoryChannel', options, { clock: 'clock', onWarning: 'function' })
  const { clock, onWarning } = options
  const questions = createMemoryFleet().questions(NAMESPACE)
  return {
    runner: createRunnerChannel(questions, { onWarning }),
    host: createHostChannel(questions, { clock, onWarning }),
    sandbox: { questions, runs: { keyIds: async () => undefined } },
  }
}
