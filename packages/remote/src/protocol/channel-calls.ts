import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import type { SigningKeys } from '@sandagent/sdk'
import * as v from 'valibot'
import { errorSchema } from './frames.ts'
import { hasFewMarks } from './json-marks.ts'
import { MAX_FILE_MARKS } from './limits.ts'
import { call, nothing } from './shapes.ts'

const toolCallId = v.pipe(v.string(), v.maxLength(1000))

const keys = v.nullable(
  v.object({ keys: v.array(v.looseObject({ kty: v.string(), kid: v.exactOptional(v.string()) })) }),
) as v.GenericSchema<unknown, SigningKeys['publicKeys'] | null>
export type HostKeys = v.InferOutput<typeof keys>

/** A file's content, written again. */
const json = v.pipe(
  v.string(),
  v.maxLength(2 * MAX_FILE_BYTES),
  v.check((text) => hasFewMarks(text, MAX_FILE_MARKS), 'a file with fewer parts'),
)

const keyIds = v.pipe(v.array(v.pipe(v.string(), v.maxLength(1000))), v.maxLength(100))

/** What is known of one question. The record and the answer file are JSON, and are read as files are. */
const state = v.object({
  toolCallId,
  record: v.optional(json),
  answerFile: v.optional(json),
  unpublished: v.exactOptional(v.literal(true)),
  runEnded: v.exactOptional(v.literal(true)),
  isUnread: v.exactOptional(v.literal(true)),
  keyIds: v.optional(keyIds),
})
export type WireState = v.InferOutput<typeof state>

const warning = v.object({
  code: v.pipe(v.string(), v.maxLength(100)),
  message: v.pipe(v.string(), v.maxLength(10_000)),
  toolCallId: v.exactOptional(toolCallId),
})
export type WireWarning = v.InferOutput<typeof warning>

const warned = v.object({ warning })
const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const identity = v.object({ nonce: v.string(), runId: v.string(), questionDigest: v.string() })
const stateEvent = v.union([v.object({ state }), warned])

/** The calls of a host's channel. They give warnings as events. */
export const CHANNEL_CALLS = {
  questions: call({ keys, unsettled: v.boolean() }, nothing, v.union([v.object({ record: json }), warned])),
  /** The states come with their places in the list. */
  states: call(
    { keys, toolCallIds: v.array(v.string()) },
    nothing,
    v.union([v.object({ index, state }), v.object({ index, error: errorSchema }), warned]),
  ),
  question: call({ keys, toolCallId }, state, warned),
  withoutRecord: call({ keys }, nothing, stateEvent),
  /** `keyIds` are the keys of the run, for which the answer was signed. */
  answer: call(
    {
      keys,
      answerFile: v.string(),
      expectedRevision: v.number(),
      expectedRecord: v.optional(v.nullable(identity)),
      keyIds: v.optional(keyIds),
    },
    v.object({ record: v.optional(json), keyIds: v.optional(keyIds) }),
    warned,
  ),
  persist: call({}, nothing),
  subscribe: call({ keys, toolCallId: v.optional(v.string()) }, nothing, stateEvent),
  keysOfRun: call({ runId: v.string() }, keyIds),
}
