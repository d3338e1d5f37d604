import {
  addObserver,
  type Observer,
  type Operation,
  type OperationEnd,
  type Progress,
} from '@sandagent/core/internal'
import { errorType } from '../names.ts'

type Write = (facts: object, message: string) => void

/** The methods of a logger that are used. Loggers of pino have them. */
export interface Logger {
  debug: Write
  info: Write
  warn: Write
}

/**
 * Writes what this process does with questions, answers and runs to a logger, until the returned function is called. No text
 * of a question or an answer gets into the log.
 */
export const registerLog = (logger: Logger): (() => void) => addObserver(logObserver(logger))

const logObserver = (logger: Logger): Observer => ({
  begin(operation) {
    const begin = Date.now()
    const facts = factsOf(operation)
    logger.debug(facts, `${operation.name}: begins`)
    return {
      progress(progress) {
        logger.debug({ ...facts, ...factsOfProgress(progress) }, `${operation.name}: ${progress.name}`)
      },
      end(ending) {
        const ended = { ...facts, ...factsOfEnding(ending), durationMs: Date.now() - begin }
        const failed = ending.error !== undefined
        const level = failed ? 'warn' : ending.stored?.status === 'pending' ? 'debug' : 'info'
        logger[level](ended, `${operation.name}: ${failed ? 'failed' : 'done'}`)
      },
    }
  },
  incident({ name, ...facts }) {
    logger.warn(facts, name)
  },
})

function factsOf(operation: Operation): object {
  if (operation.name !== 'ask') {
    const { name: _, ...facts } = operation
    return facts
  }
  const { toolCallId, toolName, kind, runId, questions } = operation.record
  return { toolCallId, toolName, kind, runId, questions: questions.length }
}

function factsOfProgress(progress: Progress): object {
  if (progress.name === 'answered') {
    const { status, revision, timestamp } = progress.answerFile
    return { status, revision, answeredAt: timestamp }
  }
  const { record } = progress
  return record ? { state: record.state, askedAt: record.askedAt, traceparent: record.traceparent } : {}
}

const factsOfEnding = ({ outcome, stored, error }: OperationEnd): object => ({
  ...(outcome && { outcome: outcome.kind }),
  ...stored,
  ...(error !== undefined && { code: errorType(error) }),
})
