import { parseInvocation } from '@sandagent/core/dialects/user-choice'
import { AskError, type ChannelWarning, parseJson, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import type { UserChoiceStorage } from '../lib/storage.ts'

export const CALL_ENTRIES = {
  version: v.literal(1),
  invocation: v.pipe(v.unknown(), v.transform(parseInvocation)),
  /** The secret of the call's URL. */
  token: v.string(),
}

/** What the record of a call has in both roles. */
export interface StoredCall extends v.InferOutput<v.ObjectSchema<typeof CALL_ENTRIES, undefined>> {
  /** Where the call is. Times are ISO 8601. At `until`, the step has taken too long. */
  step: { at: string; until?: string; endedAt?: string }
}

/** How long the record of an ended call is kept, for messages that arrive twice. */
const KEPT_MS = 24 * 60 * 60 * 1000
const SWEEP_MS = 60 * 60 * 1000
const WHAT = 'This is no record of a call'

export type CallRecords<Call extends StoredCall> = ReturnType<typeof createCallRecords<Call>>

/** The records of calls by name, each in one file. */
export function createCallRecords<Call extends StoredCall>(
  storage: UserChoiceStorage,
  folder: string,
  schema: v.GenericSchema<unknown, Call>,
  onWarning: (warning: ChannelWarning) => void,
) {
  let sweptAt = 0

  const readFile = async (path: string): Promise<Call | null> => {
    const text = await storage.read(path)
    if (text === null) return null
    try {
      return parseWith(schema, parseJson(text, 'INVALID_FILE', WHAT), 'INVALID_FILE', WHAT)
    } catch (cause) {
      // A message in the record has codes of its own. They would blame who sends the next message.
      if (!(cause instanceof AskError) || cause.code === 'INVALID_FILE') throw cause
      throw new AskError('INVALID_FILE', cause.message, { faults: cause.faults, cause })
    }
  }

  /** Lists the calls that have not ended, and removes those that ended a day ago. */
  const unfinished = async (now: number): Promise<Call[]> => {
    sweptAt = now
    const found: Call[] = []
    for (const file of await storage.list(folder)) {
      if (!file.endsWith('.json')) continue
      const path = `${folder}/${file}`
      const call = await readFile(path).catch((error: unknown) => {
        if (!(error instanceof AskError)) throw error
        onWarning({ code: error.code, message: `${path}: ${error.message}` })
        return null
      })
      const endedAt = call?.step.endedAt
      if (call && endedAt === undefined) found.push(call)
      if (endedAt !== undefined && Date.parse(endedAt) + KEPT_MS < now) await storage.remove(path)
    }
    return found
  }

  return {
    read: (name: string): Promise<Call | null> => readFile(`${folder}/${name}.json`),
    write: (name: string, call: Call): Promise<void> =>
      storage.writeAtomic(`${folder}/${name}.json`, JSON.stringify(call)),
    /** The records of the calls that have not ended. Makes a missing storage. */
    async open(now: number): Promise<Call[]> {
      try {
        return await unfinished(now)
      } catch (error) {
        if (!(error instanceof AskError && error.code === 'UNREACHABLE')) throw error
        // Before the first call, a missing folder is no fault.
        await storage.writeAtomic('user-choice.json', '{"version":1}')
        return unfinished(now)
      }
    },
    /** Removes the records of calls that ended a day ago. Does so once an hour at most. */
    async sweep(now: number): Promise<void> {
      if (now - sweptAt >= SWEEP_MS) await unfinished(now)
    },
  }
}
