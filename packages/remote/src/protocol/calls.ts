import * as v from 'valibot'
import { CHANNEL_CALLS, type ChannelCalls } from './channel-calls.ts'
import { errorSchema, type WireError } from './frames.ts'
import {
  bytes,
  type CallSchemas,
  call,
  handle,
  names,
  nothing,
  path,
  type Shape,
  size,
  text,
} from './shapes.ts'

/** A program to start, as `SpawnOptions` has it. `null` removes a variable. */
export interface WireProgram {
  command: string
  args: string[]
  env?: Record<string, string | null>
  hosts?: string[]
}

/** How a program ended. `error` says why it could not be started. */
interface WireEnd {
  exitCode: number | null
  signal: string | null
  error?: WireError
}

/** What comes from a spawned program. Its process id is `null` if it could not be started. Outputs are base64. */
export type ProcessEvent =
  | { pid: number | null }
  | { stdout: string }
  | { stderr: string }
  /** The last input was written. */
  | { written: true }

/** What a host sends to a program that it spawned. */
export type ProcessInput = { stdin: string } | { end: true } | { kill: true }

/** The calls: their arguments, what comes before the reply, and the reply. */
export interface Calls extends ChannelCalls {
  read: Shape<{ path: string }, string | null>
  writeAtomic: Shape<
    { path: string; text: string; exclusive?: boolean; revision?: string; claim?: string },
    null
  >
  sync: Shape<{ directory: string }, null>
  /** Names come as events: a folder can have very many. */
  list: Shape<{ directory: string }, null, string[]>
  stat: Shape<{ path: string }, { size: number; modifiedAt: number } | null>
  /** The bytes are base64. */
  readFrom: Shape<{ path: string; offset: number; most?: number }, string | null>
  remove: Shape<{ path: string }, null>
  /** An event for each change, by name or `null`. It ends when it is cancelled. */
  watch: Shape<{ directory: string }, null, string | null>

  activeIsolation: Shape<
    Record<never, never>,
    { level: 'strict' | 'none'; reason: string; agentUser?: string }
  >
  /** Starts a program that waits. Only `begin` lets it go on. */
  prepare: Shape<WireProgram & { token: string; stdout: string; stderr: string }, { handle: string }>
  /** Lets a prepared program begin, once. `false` if it ended without having begun. */
  begin: Shape<{ token: string; stdout: string }, boolean>
  /** Ends a prepared program. */
  drop: Shape<{ token: string }, null>
  /** Removes the marks by which a repeated `prepare` or `begin` is recognized. */
  settle: Shape<{ stdout: string }, null>
  whenEnded: Shape<{ token: string; handle: string }, WireEnd>
  isRunning: Shape<{ handle: string }, boolean>
  interrupt: Shape<{ handle: string }, null>
  kill: Shape<{ handle: string }, null>
  /** Ends when the program has ended, or when the files are longer than `bytes` together. */
  until: Shape<{ handle: string; files: string[]; bytes: number }, null>
  /** The reply comes when the program has ended. */
  spawn: Shape<WireProgram, WireEnd, ProcessEvent>
}

export type CallName = keyof Calls

const program = {
  command: v.string(),
  args: v.array(v.string()),
  env: v.exactOptional(v.record(v.string(), v.nullable(v.string()))),
  hosts: v.exactOptional(v.array(v.string())),
}

const word = v.pipe(v.string(), v.maxLength(2000))

const end = v.object({
  exitCode: v.nullable(v.number()),
  signal: v.nullable(word),
  error: v.exactOptional(errorSchema),
})

const processEvent = v.union([
  v.object({ pid: v.nullable(size) }),
  v.object({ stdout: bytes }),
  v.object({ stderr: bytes }),
  v.object({ written: v.literal(true) }),
])

export const processInputSchema: v.GenericSchema<unknown, ProcessInput> = v.union([
  v.object({ stdin: bytes }),
  v.object({ end: v.literal(true) }),
  v.object({ kill: v.literal(true) }),
])

/** Both ends check by these schemas what they get. */
export const CALLS: {
  readonly [N in CallName]: CallSchemas<Calls[N]['args'], Calls[N]['value'], Calls[N]['event']>
} = {
  read: call({ path }, v.nullable(text)),
  writeAtomic: call(
    {
      path,
      text: v.string(),
      exclusive: v.exactOptional(v.boolean()),
      revision: v.exactOptional(v.string()),
      claim: v.exactOptional(v.string()),
    },
    nothing,
  ),
  sync: call({ directory: path }, nothing),
  list: call({ directory: path }, nothing, names),
  stat: call({ path }, v.nullable(v.object({ size: v.number(), modifiedAt: v.number() }))),
  readFrom: call({ path, offset: size, most: v.exactOptional(size) }, v.nullable(bytes)),
  remove: call({ path }, nothing),
  watch: call({ directory: path }, nothing, v.nullable(path)),

  activeIsolation: call(
    {},
    v.object({
      level: v.picklist(['strict', 'none']),
      reason: word,
      agentUser: v.exactOptional(word),
    }),
  ),
  prepare: call({ ...program, token: v.string(), stdout: path, stderr: path }, v.object({ handle })),
  begin: call({ token: v.string(), stdout: path }, v.boolean()),
  drop: call({ token: v.string() }, nothing),
  settle: call({ stdout: path }, nothing),
  whenEnded: call({ token: v.string(), handle }, end),
  isRunning: call({ handle: v.string() }, v.boolean()),
  interrupt: call({ handle: v.string() }, nothing),
  kill: call({ handle: v.string() }, nothing),
  until: call({ handle: v.string(), files: names, bytes: size }, nothing),
  spawn: call(program, end, processEvent),
  ...CHANNEL_CALLS,
}
