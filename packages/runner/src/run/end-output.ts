import type { ChildProcess } from 'node:child_process'

/** How long the output of a program that has ended is read, in milliseconds: its last lines may still be on their way. */
const LAST_LINES_MS = 1_000

/** Ends the output of a program soon after the program. A child of it may hold the output open for ever. */
export function endOutput(program: ChildProcess): void {
  program.once('exit', () => setTimeout(() => program.stdout?.destroy(), LAST_LINES_MS).unref())
}

/** What a reader gets then. It is no failure. */
export const isEndedOutput = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
