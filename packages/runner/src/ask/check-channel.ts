import { AskError, type RunnerChannel } from '@sandagent/core'

const METHODS = [
  'open',
  'read',
  'subscribe',
  'close',
  'leave',
  'settle',
] as const satisfies (keyof RunnerChannel)[]

function kindOf(given: unknown): string {
  if (given === null || typeof given !== 'object') return given === null ? 'null' : typeof given
  if ('then' in given) return 'a promise: wait for it first'
  return 'questions' in given && 'write' in given ? 'the channel of a host' : 'an object without its methods'
}

/** @throws AskError `INVALID_REQUEST` for anything but a runner's channel. */
export function checkChannel(given: unknown): void {
  const isChannel =
    typeof given === 'object' &&
    given !== null &&
    METHODS.every((name) => typeof (given as Record<string, unknown>)[name] === 'function')
  if (isChannel) return
  throw new AskError(
    'INVALID_REQUEST',
    `askUser: channel must be the channel of a runner, such as createFileRunnerChannel makes, and is ${kindOf(given)}`,
    { faults: [{ path: 'channel', expected: 'the channel of a runner' }] },
  )
}
