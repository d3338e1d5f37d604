import { readdir, rm, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import {
  type ChannelWarning,
  errorCode,
  failedWith,
  filledText,
  type OnWarning,
  parseJson,
  parseWith,
  warningOf,
} from '@sandagent/core/internal'
import { readIfThere, stateFolders } from '@sandagent/files/internal'
import { type KnownWorkdir, knownWorkdirsFolder } from '@sandagent/sdk/internal'
import pLimit from 'p-limit'
import * as v from 'valibot'

/** How many entries are read at once. */
const FILES_AT_ONCE = 8

const schema: v.GenericSchema<unknown, KnownWorkdir> = v.object({
  workdir: v.pipe(
    filledText,
    v.check((path) => isAbsolute(path) && !path.includes('\0'), 'an absolute path'),
  ),
  stateFolder: v.pipe(filledText, v.check(isStateFolder, 'one plain folder name')),
})

/**
 * The workdirs that are known and exist, in the order of their paths. What is gone is forgotten. A damaged entry is a
 * warning, and so is a folder of entries that cannot be read.
 */
export async function knownWorkdirs({ onWarning }: { onWarning: OnWarning }): Promise<KnownWorkdir[]> {
  const names = await readdir(knownWorkdirsFolder()).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') onWarning(warningAbout(knownWorkdirsFolder(), error))
    return []
  })
  const read = async (name: string): Promise<KnownWorkdir[]> => {
    const path = join(knownWorkdirsFolder(), name)
    const text = await readIfThere(path)
    if (text === null) return [] // Another process has just forgotten it.
    const what = 'This is no known workdir'
    const known = parseWith(schema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
    if (await isFolder(known.workdir)) return [known]
    await rm(path, { force: true })
    return []
  }
  const readOrWarn = (name: string): Promise<KnownWorkdir[]> =>
    read(name).catch((error: unknown) => {
      onWarning(warningAbout(join(knownWorkdirsFolder(), name), error))
      return []
    })
  const found = await pLimit(FILES_AT_ONCE).map(
    names.filter((name) => name.endsWith('.json')),
    readOrWarn,
  )
  return found.flat().sort((a, b) => (a.workdir < b.workdir ? -1 : 1))
}

/** The messages of some errors name no file. */
const warningAbout = (path: string, error: unknown): ChannelWarning => {
  const warning = warningOf(error)
  return { ...warning, message: `${path}: ${warning.message}` }
}

function isStateFolder(stateFolder: string): boolean {
  try {
    stateFolders({ stateFolder })
    return true
  } catch {
    return false
  }
}

/** A folder that cannot be looked at, such as one of another user, is not gone. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    return !failedWith(error, ['ENOENT', 'ENOTDIR'])
  }
}
