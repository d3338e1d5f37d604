import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import {
  type ChannelWarning,
  digestOf,
  errorCode,
  failedWith,
  filledText,
  type OnWarning,
  parseJson,
  parseWith,
  warningOf,
} from '@sandagent/core/internal'
import {
  hostConfigFolder,
  type StateFolderOption,
  stateFolders,
  writeFileAtomic,
} from '@sandagent/files/internal'
import pLimit from 'p-limit'
import * as v from 'valibot'

/** A folder of this machine in which agents have asked. */
export interface KnownWorkdir {
  /** Absolute, without links. */
  workdir: string
  stateFolder: string
}

/** With the value `off`, this process enters no workdir. */
export const KNOWN_WORKDIRS_VARIABLE = 'SANDAGENT_KNOWN_WORKDIRS'

/** How many entries are read at once. */
const FILES_AT_ONCE = 8

const schema: v.GenericSchema<unknown, KnownWorkdir> = v.object({
  workdir: v.pipe(
    filledText,
    v.check((path) => isAbsolute(path) && !path.includes('\0'), 'an absolute path'),
  ),
  stateFolder: v.pipe(filledText, v.check(isStateFolder, 'one plain folder name')),
})

/** Each workdir has a file of its own, so that processes need not wait for each other. */
const knownFolder = (): string => join(hostConfigFolder(), 'workdirs')

/**
 * Makes a workdir known to this user's commands. A failure is a warning: the agent can work without.
 *
 * @param place its workdir is absolute, without links
 */
export async function enterWorkdir(
  place: { workdir: string } & StateFolderOption,
  { onWarning }: { onWarning: OnWarning },
): Promise<void> {
  if (process.env[KNOWN_WORKDIRS_VARIABLE] === 'off') return
  const { workdir } = place
  const known: KnownWorkdir = { workdir, stateFolder: stateFolders(place).state }
  const text = JSON.stringify(known)
  const path = join(knownFolder(), `${digestOf(text)}.json`)
  try {
    if ((await readIfThere(path)) === text) return
    await mkdir(knownFolder(), { recursive: true, mode: 0o700 })
    await writeFileAtomic(path, text)
  } catch (error) {
    const { code, message } = warningOf(error)
    onWarning({ code, message: `${workdir} is not among the known workdirs: ${message}` })
  }
}

/**
 * The workdirs that are known and exist, in the order of their paths. What is gone is forgotten. A damaged entry is a
 * warning, and so is a folder of entries that cannot be read.
 */
export async function knownWorkdirs({ onWarning }: { onWarning: OnWarning }): Promise<KnownWorkdir[]> {
  const names = await readdir(knownFolder()).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') onWarning(warningAbout(knownFolder(), error))
    return []
  })
  const read = async (name: string): Promise<KnownWorkdir[]> => {
    const path = join(knownFolder(), name)
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
      onWarning(warningAbout(join(knownFolder(), name), error))
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

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
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
