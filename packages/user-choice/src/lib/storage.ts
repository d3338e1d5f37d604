import { AskError, type ChannelWarning, parseJson, parseWith } from '@sandagent/core/internal'
import type * as v from 'valibot'

/**
 * Keeps calls and decisions across restarts: `createLocalFiles(folder)` of `@sandagent/files`, or any store of texts by
 * path. Paths are relative, with `/`. Only one process at a time may use a folder.
 */
export interface UserChoiceStorage {
  /** `null` when the file is missing. */
  read(path: string): Promise<string | null>
  /** Replaces the whole file durably, and makes its folders. */
  writeAtomic(path: string, text: string): Promise<void>
  /** The names in a folder. Empty when the folder is missing. */
  list(folder: string): Promise<string[]>
  /** Removes a file or a folder, if it exists. */
  remove(path: string): Promise<void>
}

/** How long the record of an ended call is kept, for messages that arrive twice. */
const KEPT_MS = 24 * 60 * 60 * 1000
const SWEEP_MS = 60 * 60 * 1000

/** The records of calls by name, each in one file. */
export interface CallRecords<T> {
  read(name: string): Promise<T | null>
  write(name: string, record: T): Promise<void>
  /** The records of the calls that have not ended. Makes a missing storage. */
  open(now: number): Promise<T[]>
  /** Removes the records of calls that ended a day ago. Does so once an hour at most. */
  sweep(now: number): Promise<void>
}

export function createCallRecords<T extends { endedAt?: string }>(
  storage: UserChoiceStorage,
  folder: string,
  schema: v.GenericSchema<unknown, T>,
  onWarning: (warning: ChannelWarning) => void,
): CallRecords<T> {
  const what = 'This is no record of a call'
  const pathOf = (name: string): string => `${folder}/${name}.json`

  const read = async (name: string): Promise<T | null> => {
    const text = await storage.read(pathOf(name))
    if (text === null) return null
    try {
      return parseWith(schema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
    } catch (cause) {
      // A message in the record has codes of its own. They would blame who sends the next message.
      if (!(cause instanceof AskError) || cause.code === 'INVALID_FILE') throw cause
      throw new AskError('INVALID_FILE', cause.message, { faults: cause.faults, cause })
    }
  }

  const readOrWarn = async (name: string): Promise<T | null> => {
    try {
      return await read(name)
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      onWarning({ code: error.code, message: `${pathOf(name)}: ${error.message}` })
      return null
    }
  }

  let sweptAt = 0

  /** Lists the calls that have not ended, and removes those that ended a day ago. */
  const unfinished = async (now: number): Promise<T[]> => {
    sweptAt = now
    const found: T[] = []
    for (const file of await storage.list(folder)) {
      if (!file.endsWith('.json')) continue
      const name = file.slice(0, -'.json'.length)
      const record = await readOrWarn(name)
      if (record?.endedAt === undefined) found.push(...(record ? [record] : []))
      else if (Date.parse(record.endedAt) + KEPT_MS < now) await storage.remove(pathOf(name))
    }
    return found
  }

  return {
    read,
    write: (name, record) => storage.writeAtomic(pathOf(name), JSON.stringify(record)),
    async open(now) {
      try {
        return await unfinished(now)
      } catch (error) {
        if (!(error instanceof AskError && error.code === 'UNREACHABLE')) throw error
        // Before the first call, a missing folder is no fault.
        await storage.writeAtomic('user-choice.json', '{"version":1}')
        return unfinished(now)
      }
    },
    async sweep(now) {
      if (now - sweptAt >= SWEEP_MS) await unfinished(now)
    },
  }
}
