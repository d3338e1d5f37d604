import { mkdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AskError,
  errorCode,
  type OnWarning,
  parseJson,
  parseWith,
  warningOf,
} from '@sandagent/core/internal'
import { createLocalFiles, readIfThere } from '@sandagent/files/internal'
import pLimit from 'p-limit'
import * as v from 'valibot'
import { type Grant, grantSchema } from './grant.ts'

/** A call that a grant has allowed. */
interface GrantUse {
  /** ISO 8601. */
  at: string
  toolCallId: string
  runId: string
}

/** A line in the log of uses. `key` names the question; `undone`: the answer did not count. */
interface UseLine extends GrantUse {
  key: string
  undone?: true
}

const useLine: v.GenericSchema<unknown, UseLine> = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    at: v.string(),
    toolCallId: v.string(),
    runId: v.string(),
    key: v.string(),
    undone: v.exactOptional(v.literal(true)),
  }),
)

/** The grants of a folder: one file for each, and one for its uses. Several processes can read and write them. */
export interface GrantFiles {
  /**
   * Makes the folder if it is missing, and gives its real path. @throws AskError `UNSAFE_PATH` when others could put grants
   * there
   */
  open(): Promise<string>
  /** Whether there are files of grants, whatever is in them. */
  any(): Promise<boolean>
  /** All grants, the latest first. A damaged one is a warning, and covers nothing. */
  all(): Promise<Grant[]>
  find(id: string): Promise<Grant | null>
  /** Keeps a grant, unless one of its id is there. Returns the one that is kept. */
  add(grant: Grant): Promise<Grant>
  replace(grant: Grant): Promise<void>
  remove(id: string): Promise<void>
  /** Notes a use before the answer is stored, so that none is lost. */
  noteUse(id: string, line: UseLine): Promise<void>
  /** How often a grant was used, and its last uses, the latest first. Two hosts may have noted the same one. */
  uses(id: string): Promise<{ count: number; latest: GrantUse[] }>
}

const NAME = /^([0-9a-f]{16})\.json$/
const FILES_AT_ONCE = 8

/** How many uses of a grant are shown. */
const MOST_USES = 20

/** @param folder for this user alone. It is made if it is missing. */
export function createGrantFiles(folder: string, { onWarning }: { onWarning: OnWarning }): GrantFiles {
  const files = createLocalFiles(folder)
  const usesOf = (id: string): string => join(folder, `${id}.uses`)

  // An inbox asks about each of thousands of approvals. Calls that are answered at once keep it from waiting for its turn.
  const check = (): void => {
    const { mode, uid } = statSync(folder, { throwIfNoEntry: false }) ?? made(folder)
    // Windows has neither modes nor user ids.
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0))
      throw new AskError(
        'UNSAFE_PATH',
        `Others can write into ${folder}, so they could allow what they like: make it yours alone, with mode 0700`,
        { facts: { path: folder } },
      )
  }

  const names = async (): Promise<string[]> => {
    check()
    return (await files.list('.')).filter((name) => NAME.test(name))
  }

  const readOne = async (name: string): Promise<Grant[]> => {
    const text = await files.read(name)
    if (text === null) return [] // Another process has just removed it.
    const what = `${join(folder, name)} is no grant`
    const grant = parseWith(grantSchema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
    if (`${grant.id}.json` === name) return [grant]
    throw new AskError('INVALID_FILE', `${what}: it names another one. Remove it`)
  }

  const find = async (id: string): Promise<Grant | null> =>
    NAME.test(`${id}.json`) ? ((await readOne(`${id}.json`))[0] ?? null) : null

  const write = (grant: Grant, options?: { exclusive: true }): Promise<void> =>
    files.writeAtomic(`${grant.id}.json`, JSON.stringify(grant), options)

  return {
    async open() {
      check()
      return realpathSync.native(folder)
    },

    find,

    any: async () => (await names()).length > 0,

    async all(): Promise<Grant[]> {
      const readOrWarn = (name: string): Promise<Grant[]> =>
        readOne(name).catch((error: unknown) => {
          onWarning(warningOf(error))
          return []
        })
      const grants = (await pLimit(FILES_AT_ONCE).map(await names(), readOrWarn)).flat()
      return grants.sort((a, b) => (a.givenAt < b.givenAt ? 1 : -1))
    },

    async add(grant: Grant): Promise<Grant> {
      check()
      try {
        await write(grant, { exclusive: true })
        return grant
      } catch (error) {
        if (errorCode(error) !== 'CONFLICT') throw error
        return (await find(grant.id)) ?? grant
      }
    },

    replace: (grant: Grant): Promise<void> => write(grant),

    async remove(id: string): Promise<void> {
      await files.remove(`${id}.json`)
      await files.remove(`${id}.uses`)
    },

    noteUse: (id: string, line: UseLine): Promise<void> =>
      appendFile(usesOf(id), `${JSON.stringify(line)}\n`, { mode: 0o600 }),

    async uses(id: string): Promise<{ count: number; latest: GrantUse[] }> {
      const text = (await readIfThere(usesOf(id))) ?? ''
      const uses = new Map<string, GrantUse>()
      for (const { key, undone, ...use } of text.split('\n').flatMap(readUse)) {
        if (undone) uses.delete(key)
        else if (!uses.has(key)) uses.set(key, use)
      }
      return { count: uses.size, latest: [...uses.values()].slice(-MOST_USES).reverse() }
    },
  }
}

/** A folder that is made for this user alone. */
function made(folder: string): Stats {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return statSync(folder)
}

/** A line that a crash has cut off is left out. */
function readUse(line: string): UseLine[] {
  const read = v.safeParse(useLine, line)
  return read.success ? [read.output] : []
}
