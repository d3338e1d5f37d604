import { randomBytes } from 'node:crypto'
import { readdir, unlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  AskError,
  digestOf,
  failedWith,
  filledText,
  isoTime,
  isSameName,
  type Passkey,
  parseJson,
  parseWith,
  passkeySchema,
} from '@sandagent/core/internal'
import { hostConfigFolder, makeFolder, readPrivateFile, writeFileAtomic } from '@sandagent/files/internal'
import * as v from 'valibot'

/** A passkey as a host keeps it. */
export interface PasskeyEntry extends Passkey {
  /** What the person calls it. */
  name: string
  /** The domain that it belongs to. */
  rpId: string
  /** ISO 8601. */
  addedAt: string
  /** Whether it was kept elsewhere too when it was registered, such as in an account. */
  isBackedUp: boolean
}

/** A code of the terminal, by which one passkey can be registered. */
interface Code {
  person: string
  /** In milliseconds since 1970. */
  until: number
}

const entrySchema: v.GenericSchema<unknown, PasskeyEntry> = v.intersect([
  passkeySchema,
  v.object({ name: v.string(), rpId: filledText, addedAt: isoTime, isBackedUp: v.boolean() }),
])

const codeSchema: v.GenericSchema<unknown, Code> = v.object({ person: v.string(), until: v.number() })

/** The passkeys of a folder: one file for each, and one for each code. Several processes can read and write them. */
export interface PasskeyFiles {
  /** All, the oldest first. @throws AskError `INVALID_FILE` for a damaged file */
  all(): Promise<PasskeyEntry[]>
  /** @throws AskError `CONFLICT` for a passkey that is there */
  add(entry: PasskeyEntry): Promise<void>
  /** Resolves to whether it was there. */
  remove(id: string): Promise<boolean>
  /** Makes a code by which a person registers one passkey, within ten minutes. */
  newCode(person: string, now: number): Promise<string>
  /** Whether a code counts for a person. It stays. */
  isCodeOf(person: string, code: string, now: number): Promise<boolean>
  /** Uses a code up. Resolves to whether it counted for this person: nobody else can use it up. */
  takeCode(person: string, code: string, now: number): Promise<boolean>
}

const CODE_MS = 10 * 60_000

/** Letters and digits that nobody takes for others. Sixteen of them are 79 bits, which nobody guesses. */
const CODE_SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 16

const usualFolder = (): string => join(hostConfigFolder(), 'passkeys')

/**
 * @param folder for this user alone. It is made with the first passkey. Default: `passkeys` in the folder of this user's hosts
 */
export function openPasskeyFiles(folder: string = usualFolder()): PasskeyFiles {
  const root = resolve(folder)
  const path = (kind: 'key' | 'code', id: string): string => join(root, `${kind}-${digestOf([id])}.json`)
  const read = async <T>(file: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> => {
    const text = await readPrivateFile(file)
    const what = `${file} is damaged: remove it`
    return text === null
      ? null
      : parseWith(schema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
  }
  const remove = async (file: string): Promise<boolean> => {
    try {
      await unlink(file)
      return true
    } catch (error) {
      if (failedWith(error, ['ENOENT'])) return false
      throw error
    }
  }
  const filesOf = async (kind: 'key' | 'code'): Promise<string[]> => {
    const names = await readdir(root).catch((error: unknown) => {
      if (failedWith(error, ['ENOENT'])) return []
      throw error
    })
    return names
      .filter((name) => name.startsWith(`${kind}-`) && /-[0-9a-f]{64}\.json$/.test(name))
      .map((name) => join(root, name))
  }
  /** As a person may type it. */
  const codeFile = (code: string): string => path('code', code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
  /** A code that is damaged, or that others can read, counts for nobody. */
  const codeIn = (file: string): Promise<Code | null> =>
    read(file, codeSchema).catch((error: unknown) => {
      if (error instanceof AskError) return null
      throw error
    })
  /** Removes the codes that nobody can use any more. */
  const sweepCodes = async (now: number): Promise<void> => {
    for (const file of await filesOf('code'))
      if (((await codeIn(file))?.until ?? 0) <= now) await remove(file)
  }
  const isCodeOf: PasskeyFiles['isCodeOf'] = async (person, code, now) => {
    await sweepCodes(now)
    return isSameName((await codeIn(codeFile(code)))?.person, person)
  }
  return {
    async all() {
      const files = await filesOf('key')
      const entries = await Promise.all(files.map((file) => read(file, entrySchema)))
      return entries
        .filter((entry) => entry !== null)
        .sort((a, b) => (a.addedAt < b.addedAt ? -1 : a.addedAt > b.addedAt ? 1 : 0))
    },
    async add(entry) {
      makeFolder(root, 0o700)
      await writeFileAtomic(path('key', entry.id), JSON.stringify(entry, null, 2), { exclusive: true })
    },
    remove: (id) => remove(path('key', id)),
    async newCode(person, now) {
      makeFolder(root, 0o700)
      await sweepCodes(now)
      const code = [...randomBytes(CODE_LENGTH)].map((byte) => CODE_SIGNS[byte % CODE_SIGNS.length]).join('')
      const facts: Code = { person, until: now + CODE_MS }
      await writeFileAtomic(path('code', code), JSON.stringify(facts), { exclusive: true })
      return code.match(/.{4}/g)?.join('-') ?? code
    },
    isCodeOf,
    takeCode: async (person, code, now) =>
      (await isCodeOf(person, code, now)) && (await remove(codeFile(code))),
  }
}
