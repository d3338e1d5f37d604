import type { Readable, Writable } from 'node:stream'
import type { Interruption } from './signals.ts'

/** What a command has of the process around it. */
export interface CliIo extends Interruption {
  stdin: Readable & { isTTY?: boolean; setRawMode?: (mode: boolean) => unknown }
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number }
  stderr: Writable
}
