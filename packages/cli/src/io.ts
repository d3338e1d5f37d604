import type { Readable, Writable } from 'node:stream'
import type { Interruption } from './signals.ts'

/** The parts of the process that a command uses. */
export interface CliIo extends Interruption {
  stdin: Readable & { isTTY?: boolean; fd?: number; setRawMode?: (mode: boolean) => unknown }
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number; hasColors?: () => boolean }
  stderr: Writable & { isTTY?: boolean }
}
