// Why it is so: docs/decisions/0086-packages-tell-observers-what-they-do.md

import type { AnswerStatus } from './answer/answer-status.ts'
import { platform } from './lib/platform.ts'
import type { AnswerFile } from './record/answer-file/answer-file.ts'
import type { Outcome } from './record/outcome/outcome.ts'
import type { OpenRecord, QuestionRecord } from './record/question-record.ts'

/** What a package has begun to do. Observers make traces, metrics and logs of it. */
export type Operation =
  /** A host starts the run of an agent. */
  | { name: 'start'; runId: string; agent: string }
  /** A runner runs an agent. */
  | { name: 'run'; runId: string; agent?: string | undefined }
  /** A runner asks a question and waits for the answer. */
  | { name: 'ask'; record: OpenRecord }
  /** A host stores an answer. `traceparent` is that of the request, as its client sent it. */
  | { name: 'store'; toolCallId: string; status: AnswerStatus | undefined; traceparent?: string | undefined }

/** What became known during an operation. */
export type Progress =
  /** The question can be answered, or an earlier process had asked it. */
  | { name: 'asked'; record: QuestionRecord }
  /** The runner has found a final answer, or one that may still be replaced. */
  | { name: 'answered'; answerFile: AnswerFile }
  /** The host has found the question that is answered. */
  | { name: 'found'; record: QuestionRecord | undefined }

/** How an operation ended. */
export interface OperationEnd {
  /** How the question ended. Absent if the runner only gave up the wait. */
  outcome?: Outcome
  stored?: { status: AnswerStatus; missingVotes?: number }
  error?: unknown
}

/** Something that belongs to no operation. */
export type Incident =
  /** A runner ignored an answer or a receipt that its host did not sign. */
  | { name: 'forgery'; code: string; toolCallId: string }
  /** A host refused a request to store an answer before it was read. */
  | { name: 'request-refused'; code: string }
  /** A fault that people are warned of. */
  | { name: 'warning'; code: string; message: string; toolCallId?: string }

/** One operation, as an observer sees it. */
export interface Observation {
  /** The trace context of the operation, for other processes. */
  readonly traceparent?: string | undefined
  /** Runs a part of the operation in its context: once, and with its result or its error. */
  within?<T>(part: () => T): T
  progress?(progress: Progress): void
  end?(ending: OperationEnd): void
}

/** How many questions of a host wait, when they are counted. */
export interface QuestionCounts {
  /** Questions that wait for a person. */
  open: number
  /** Questions whose final answer the runner has not taken yet. */
  unread: number
  /** When the oldest question that waits was asked, ISO 8601; `null` if no question waits. */
  oldestAskedAt: string | null
}

/** Sees what the packages do in this process. */
export interface Observer {
  begin?(operation: Operation): Observation | undefined
  incident?(incident: Incident): void
  /** Takes a way to count questions, until the returned function is called. */
  counts?(count: () => Promise<QuestionCounts>): () => void
}

/** Known to the whole process: a bundled command has its own copy of this module. No type knows the key. */
const KEY = Symbol.for('sandagent.observers')

const registry = platform as unknown as { [KEY]?: Set<Observer> }

/** Lets an observer see everything that begins from now on. The returned function ends this. */
export function addObserver(observer: Observer): () => void {
  registry[KEY] ??= new Set()
  const observers = registry[KEY]
  observers.add(observer)
  return () => observers.delete(observer)
}

/** Whether somebody observes this process. */
export const isObserved = (): boolean => (registry[KEY]?.size ?? 0) > 0

/** Tells observers that an operation has begun. Without observers it costs nothing, and `undefined` is returned. */
export function beginOperation(operation: Operation): Observation | undefined {
  if (!isObserved()) return undefined
  const observations = each((observer) => observer.begin?.(operation)).filter((one) => one !== undefined)
  return {
    traceparent: observations.find(({ traceparent }) => traceparent !== undefined)?.traceparent,
    within: (part) =>
      observations.reduceRight<typeof part>(
        (inner, observation) => () => (observation.within ? observation.within(inner) : inner()),
        part,
      )(),
    progress: (progress) => {
      for (const one of observations) attempt(() => one.progress?.(progress))
    },
    end: (ending) => {
      for (const one of observations) attempt(() => one.end?.(ending))
    },
  }
}

/** Runs an operation and tells observers how it ended. */
export async function observed<T>(
  observation: Observation | undefined,
  run: () => Promise<T>,
  endingOf: (result: T) => OperationEnd = () => ({}),
): Promise<T> {
  if (!observation) return run()
  try {
    const result = await (observation.within ? observation.within(run) : run())
    observation.end?.(endingOf(result))
    return result
  } catch (error) {
    observation.end?.({ error })
    throw error
  }
}

/** Tells observers of an incident. */
export function reportIncident(incident: Incident): void {
  each((observer) => observer.incident?.(incident))
}

/** Offers a way to count questions to the current observers, until the returned function is called. */
export function offerCounts(count: () => Promise<QuestionCounts>): () => void {
  const ends = each((observer) => observer.counts?.(count))
  return () => {
    for (const end of ends) attempt(() => end?.())
  }
}

const each = <T>(call: (observer: Observer) => T): (T | undefined)[] =>
  [...(registry[KEY] ?? [])].map((observer) => attempt(() => call(observer)))

/** A faulty observer keeps nobody from asking or answering. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}
