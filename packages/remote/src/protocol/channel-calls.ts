import type { RecordIdentity } from '@sandagent/core/internal'
import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import type { JSONWebKeySet } from 'jose'
import * as v from 'valibot'
import { errorSchema, type WireError } from './frames.ts'
import { hasFewMarks } from './json-marks.ts'
import { MAX_FILE_MARKS } from './limits.ts'
import { type CallSchemas, call, nothing, type Shape } from './shapes.ts'

/** What is known of one question. The record and the answer file are JSON, and are read as files are. */
export interface WireState {
  toolCallId: string
  record?: string
  answerFile?: string
  unpublished?: true
  runEnded?: true
  nothingThere?: true
  /** The ids of the keys of the run that asks. */
  keyIds?: string[]
}

export interface WireWarning {
  code: string
  message: string
  toolCallId?: string
}

type Warned = { warning: WireWarning }

/** The public keys of the host. */
interface HostKeys {
  keys: JSONWebKeySet | null
}

/** The calls of a host's channel. They give warnings as events. */
export interface ChannelCalls {
  questions: Shape<HostKeys & { unsettled: boolean }, null, { record: string } | Warned>
  /** The states come with their places in the list. */
  states: Shape<
    HostKeys & { toolCallIds: string[] },
    null,
    { index: number; state: WireState } | { index: number; error: WireError } | Warned
  >
  question: Shape<HostKeys & { toolCallId: string }, WireState, Warned>
  olderQuestions: Shape<HostKeys, null, { state: WireState } | Warned>
  /** `keyIds` are the keys of the run, for which the answer was signed. */
  answer: Shape<
    HostKeys & {
      answerFile: string
      expectedRevision: number
      expectedRecord?: RecordIdentity | null
      keyIds?: string[]
    },
    { record?: string; keyIds?: string[] },
    Warned
  >
  persist: Shape<Record<never, never>, null>
  subscribe: Shape<HostKeys & { toolCallId?: string }, null, { state: WireState } | Warned>
  keysOfRun: Shape<{ runId: string }, string[]>
}

const toolCallId = v.pipe(v.string(), v.maxLength(1000))
const keys = v.nullable(
  v.object({ keys: v.array(v.looseObject({ kty: v.string(), kid: v.exactOptional(v.string()) })) }),
) as v.GenericSchema<unknown, JSONWebKeySet | null>

/** A file's content, written again. */
const json = v.pipe(
  v.string(),
  v.maxLength(2 * MAX_FILE_BYTES),
  v.check((text) => hasFewMarks(text, MAX_FILE_MARKS), 'a file with fewer parts'),
)
const keyIds = v.pipe(v.array(v.pipe(v.string(), v.maxLength(1000))), v.maxLength(100))

const state: v.GenericSchema<unknown, WireState> = v.object({
  toolCallId,
  record: v.exactOptional(json),
  answerFile: v.exactOptional(json),
  unpublished: v.exactOptional(v.literal(true)),
  runEnded: v.exactOptional(v.literal(true)),
  nothingThere: v.exactOptional(v.literal(true)),
  keyIds: v.exactOptional(keyIds),
})

const warned = v.object({
  warning: v.object({
    code: v.pipe(v.string(), v.maxLength(100)),
    message: v.pipe(v.string(), v.maxLength(10_000)),
    toolCallId: v.exactOptional(toolCallId),
  }),
})

const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const identity = v.object({ nonce: v.string(), runId: v.string(), questionDigest: v.string() })
const stateEvent = v.union([v.object({ state }), warned])

export const CHANNEL_CALLS: {
  readonly [N in keyof ChannelCalls]: CallSchemas<
    ChannelCalls[N]['args'],
    ChannelCalls[N]['value'],
    ChannelCalls[N]['event']
  >
} = {
  questions: call({ keys, unsettled: v.boolean() }, nothing, v.union([v.object({ record: json }), warned])),
  states: call(
    { keys, toolCallIds: v.array(v.string()) },
    nothing,
    v.union([v.object({ index, state }), v.object({ index, error: errorSchema }), warned]),
  ),
  question: call({ keys, toolCallId }, state, warned),
  olderQuestions: call({ keys }, nothing, stateEvent),
  answer: call(
    {
      keys,
      answerFile: v.string(),
      expectedRevision: v.number(),
      expectedRecord: v.exactOptional(v.nullable(identity)),
      keyIds: v.exactOptional(keyIds),
    },
    v.object({ record: v.exactOptional(json), keyIds: v.exactOptional(keyIds) }),
    warned,
  ),
  persist: call({}, nothing),
  subscribe: call({ keys, toolCallId: v.exactOptional(v.string()) }, nothing, stateEvent),
  keysOfRun: call({ runId: v.string() }, keyIds),
}
