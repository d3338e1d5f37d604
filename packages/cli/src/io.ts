import type { Readable, Writable } from 'node:stream'
import type { Interruption } from './signals.ts'

/** The parts of the process that a command uses. */
export interface CliIo extends Interruption {
  stdin: Readable & { isTTY?: boolean; fd?: number; setRawMode?: (mode: boolean) => unknown }
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number; hasColors?: () => boolean }
  stderr: Writable & { isTTY?: boolean }
}

/** Whether a person reads plain lines, or the terminal can show nothing else. */
export const wantsLines = ({ stdin }: CliIo): boolean =>
  process.env.INK_SCREEN_READER === 'true' || process.env.TERM === 'dumb' || !stdin.setRawMode
