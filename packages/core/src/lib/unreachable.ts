// Why it is so: docs/decisions/0016-unreadable-is-not-missing.md

import { errorCode } from './error-code.ts'
import { AskError } from './errors.ts'

/** The codes of files that exist and cannot be read. */
const FILE_FAULTS = ['INVALID_FILE', 'UNSAFE_PATH', 'TOO_LARGE']

/** What to do where the user of this process may not use the files. */
const FOREIGN = '. Run the host and the agent as one user, or the host as root'

/** Whether the file itself is at fault, and not the system, which may fail only for a moment. */
export const isFileFault = (error: unknown): boolean =>
  error instanceof AskError && FILE_FAULTS.includes(error.code)

/**
 * Turns an error of the system, or of a file, into one that the caller may retry. Other errors stay as they are.
 *
 * @param what a sentence without its full stop; clients read it, so it must not contain a path
 */
export function unreachable(what: string, error: unknown): unknown {
  const isOther = error instanceof AskError && !isFileFault(error)
  const code = errorCode(error instanceof AskError ? error.cause : error) ?? errorCode(error)
  if (isOther || code === undefined) return error
  return new AskError('UNREACHABLE', `${what} (${code})${code === 'EACCES' ? FOREIGN : ''}`, {
    facts: { reason: code },
    cause: error,
  })
}
