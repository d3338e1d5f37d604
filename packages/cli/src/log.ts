import type { Writable } from 'node:stream'
import { registerLog } from '@sandagent/telemetry/log'
import { pino } from 'pino'
import { oneOf } from './arguments/option-values.ts'
import { safeJson } from './json-line.ts'

const LEVELS = ['debug', 'info', 'warn'] as const

/**
 * Writes what the command does with questions, answers and runs, as one JSON object a line, until the returned function is
 * called.
 *
 * @throws AskError `INVALID_REQUEST` for a level that does not exist.
 */
export function startLog(level: string, output: Writable): () => void {
  const options = {
    name: 'sandagent',
    level: oneOf('SANDAGENT_LOG', level, LEVELS),
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return registerLog(pino(options, { write: (line: string) => void output.write(safeJson(line)) }))
}
