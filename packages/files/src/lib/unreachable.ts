import { AskError } from '@sandagent/core'
import { errorCode } from './error-code.ts'

/** What makes a file unreadable although it is there. */
const FILE_FAULTS = ['INVALID_FILE', 'UNSAFE_PATH', 'TOO_LARGE']

/** Whether it is the file that cannot be read, and not the system that fails for the moment. */
export const isFileFault = (error: unknown): boolean =>
  error instanceof AskError && FILE_FAULTS.includes(error.code)

/**
 * A failure of the system, or of a file, as an error that says: try again. Other errors stay as they are.
 *
 * @param what could not be done, as a sentence without its full stop; clients read it, so it names no path
 */
export function unreachable(what: string, error: unknown): unknown {
  const isOther = error instanceof AskError && !isFileFault(error)
  const code = errorCode(error instanceof AskError ? error.cause : error) ?? errorCode(error)
  if (isOther || code === undefined) return error
  return new AskError('UNREACHABLE', `${what} (${code})`, { facts: { reason: code }, cause: error })
}
