import * as v from 'valibot'
import { CHANNEL_CALLS } from './channel-calls.ts'
import { errorSchema } from './frames.ts'
import { bytes, call, handle, names, nothing, path, size, text } from './shapes.ts'

/** A program to start, as `SpawnOptions` has it. `null` removes a variable. */
const program = {
  command: v.string(),
  args: v.array(v.string()),
  env: v.optional(v.record(v.string(), v.nullable(v.string()))),
  hosts: v.optional(v.array(v.string())),
}
export type WireProgram = v.InferOutput<v.ObjectSchema<typeof program, undefined>>

const word = v.pipe(v.string(), v.maxLength(2000))

/** How a program ended. `error` says why it could not be started. */
const end = v.object({
  exitCode: v.nullable(v.number()),
  signal: v.nullable(word),
  error: v.optional(errorSchema),
})

const processEvent = v.union([
  v.object({ pid: v.nullable(size) }), // `null` if it could not be started
  v.object({ stdout: bytes }),
  v.object({ stderr: bytes }),
  v.object({ written: v.literal(true) }), // the last input was written
])
export type ProcessEvent = v.InferOutput<typeof processEvent>

/** What a host sends to a program that it spawned. */
export const processInputSchema = v.union([
  v.object({ stdin: bytes }),
  v.object({ end: v.literal(true) }),
  v.object({ kill: v.literal(true) }),
])
export type ProcessInput = v.InferOutput<typeof processInputSchema>

/** The calls. Both ends check by these schemas what they get. */
export const CALLS = {
  read: call({ path }, v.nullable(text)),
  writeAtomic: call(
    {
      path,
      text: v.string(),
      exclusive: v.optional(v.boolean()),
      revision: v.optional(v.string()),
      claim: v.optional(v.string()),
    },
    nothing,
  ),
  writeAt: call({ path, bytes, offset: size }, nothing),
  rename: call({ path, name: path }, nothing),
  sync: call({ directory: path }, nothing),
  /** Names come as events: a folder can have very many. */
  list: call({ directory: path }, nothing, names),
  stat: call({ path }, v.nullable(v.object({ size: v.number(), modifiedAt: v.number() }))),
  readFrom: call({ path, offset: size, most: v.optional(size) }, v.nullable(bytes)),
  remove: call({ path }, nothing),
  /** An event for each change, by name or `null`. It ends when it is cancelled. */
  watch: call({ directory: path }, nothing, v.nullable(path)),

  activeIsolation: call(
    {},
    v.object({ level: v.picklist(['strict', 'none']), reason: word, agentUser: v.exactOptional(word) }),
  ),
  /** Starts a program that waits. Only `begin` lets it go on. */
  prepare: call({ ...program, token: v.string(), stdout: path, stderr: path }, v.object({ handle })),
  /** Lets a prepared program begin, once. `false` if it ended without having begun. */
  begin: call({ token: v.string(), stdout: path }, v.boolean()),
  drop: call({ token: v.string() }, nothing),
  /** Removes the marks by which a repeated `prepare` or `begin` is recognized. */
  settle: call({ stdout: path }, nothing),
  whenEnded: call({ token: v.string(), handle }, end),
  isRunning: call({ handle: v.string() }, v.boolean()),
  interrupt: call({ handle: v.string() }, nothing),
  kill: call({ handle: v.string() }, nothing),
  /** Ends when the program has ended, or when the files are longer than `bytes` together. */
  until: call({ handle: v.string(), files: names, bytes: size }, nothing),
  /** The reply comes when the program has ended. */
  spawn: call(program, end, processEvent),
  ...CHANNEL_CALLS,
}

export type CallName = keyof typeof CALLS

export type Calls = {
  [N in CallName]: { [Part in 'args' | 'value' | 'event']: v.InferOutput<(typeof CALLS)[N][Part]> }
}
