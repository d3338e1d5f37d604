import { AskError, type ChannelWarning, parseJson, parseWith } from '@sandagent/core/internal'
import type * as v from 'valibot'

/**
 * Where calls and decisions outlive the process that began them: `createLocalFiles(folder)` of `@sandagent/files`, or anything
 * that keeps texts by path. Paths are relative, with `/` between names. One process at a time uses a folder.
 */
export interface UserChoiceStorage {
  /** The text of a file, `null` when it is missing. */
  read(path: string): Promise<string | null>
  /** Replaces a file as a whole and durably, and makes its folders. */
  writeAtomic(path: string, text: string): Promise<void>
  /** The names in a folder; none when it is missing. */
  list(folder: string): Promise<string[]>
  /** Removes a file or a folder; what is missing is fine. */
  remove(path: string): Promise<void>
}

/** What all records tell: when their call ended, as an ISO 8601 time. */
interface Endable {
  endedAt?: string
}

/** How long the record of a call that ended stays, to meet what is delivered twice. */
const KEPT_MS = 24 * 60 * 60 * 1000
/** How often records that are no longer needed are looked for. */
const SWEEP_MS = 60 * 60 * 1000

/** The records of calls by name, one file each. */
export interface CallRecords<T> {
  read(name: string): Promise<T | null>
  write(name: string, record: T): Promise<void>
  /** The records of the calls that have not ended, when a process starts. A storage that is missing is made. */
  open(now: number): Promise<T[]>
  /** Removes the records of calls that ended a day ago, once an hour at most. */
  sweep(now: number): Promise<void>
}

export function createCallRecords<T extends Endable>(
  storage: UserChoiceStorage,
  folder: string,
  schema: v.GenericSchema<unknown, T>,
  onWarning: (warning: ChannelWarning) => void,
): CallRecords<T> {
  const what = 'This is no record of a call'
  const pathOf = (name: string): string => `${folder}/${name}.json`

  const read = async (name: string): Promise<T | null> => {
    const text = await storage.read(pathOf(name))
    return text === null
      ? null
      : parseWith(schema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
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

  /** The records of the calls that have not ended. Those that ended a day ago are removed. */
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
        // Later a missing folder is a fault, but before the first call it is only new.
        await storage.writeAtomic('user-choice.json', '{"version":1}')
        return unfinished(now)
      }
    },
    async sweep(now) {
      if (now - sweptAt >= SWEEP_MS) await unfinished(now)
    },
  }
}
