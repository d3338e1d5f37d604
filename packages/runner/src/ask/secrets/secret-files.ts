// Why it is so: docs/decisions/0114-a-secret-is-sealed-for-its-runner.md

import { randomUUID } from 'node:crypto'
import { lstatSync, realpathSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { AskError, failedWith, MAX_TIMEOUT_MS, parseJson, parseWith } from '@sandagent/core/internal'
import type { SecretPlace } from '@sandagent/core/secret'
import { makeFolder, writeFileAtomic } from '@sandagent/files/internal'
import * as v from 'valibot'

/** What the runner keeps of a secret: the key, and the ciphertext once a person has given it. */
export interface KeptSecret {
  privateKey: string
  given?: { sealed: string; place: SecretPlace }
}

const schema: v.GenericSchema<unknown, KeptSecret> = v.object({
  privateKey: v.string(),
  given: v.exactOptional(
    v.object({
      sealed: v.string(),
      place: v.object({ toolCallId: v.string(), questionId: v.string(), questionDigest: v.string() }),
    }),
  ),
})

/** A secret that nobody reads is kept as long as a settled question. */
const UNREAD_MS = 7 * 24 * 3_600_000

/** Outside of the workdir, whose files a model reads. Isolated runners have their home in it. */
const folderOf = (): string => {
  const { XDG_STATE_HOME = '' } = process.env
  // A relative path is ignored: it could lead into a workdir.
  const state = isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), '.local', 'state')
  return join(state, 'sandagent', 'secrets')
}

/** Makes the folder, for this user alone. */
function makeOwnFolder(): void {
  const folder = folderOf()
  const { XDG_STATE_HOME = '', SANDAGENT_WORKDIR = '.' } = process.env
  const workdir = withoutLinks(resolve(SANDAGENT_WORKDIR))
  const isInWorkdir = (path: string): boolean => isBelow(workdir, withoutLinks(path))
  if (isAbsolute(XDG_STATE_HOME) && isInWorkdir(XDG_STATE_HOME) && !isInWorkdir(homedir()))
    throw new Error(`it is in the workdir ${workdir}`)
  makeFolder(folder, 0o700)
  for (const path of [dirname(folder), folder])
    if (lstatSync(path).isSymbolicLink()) throw new Error(`${path} is a link`)
  const { uid, mode } = lstatSync(folder)
  // Windows has neither modes nor user ids.
  if (process.getuid && (uid !== process.getuid() || (mode & 0o077) !== 0))
    throw new Error(`${folder} is open to others: make it yours alone, with mode 0700`)
}

/** The path without links. Its last folders may be missing. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (!failedWith(error, ['ENOENT']) || dirname(path) === path) throw error
    return join(withoutLinks(dirname(path)), basename(path))
  }
}

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return !isAbsolute(way) && way.split(sep)[0] !== '..'
}

const pathOf = (id: string): string => join(folderOf(), `${id}.json`)

/** Keeps a secret, for this user alone. */
export async function keepSecret(id: string, secret: KeptSecret): Promise<void> {
  try {
    makeOwnFolder()
  } catch (cause) {
    throw new AskError(
      'UNSAFE_PATH',
      `The keys of secrets cannot be kept in ${folderOf()} (${(cause as Error).message}). Set XDG_STATE_HOME to a folder outside of the workdir that this user can write to`,
      { cause },
    )
  }
  await writeFileAtomic(pathOf(id), JSON.stringify(secret))
}

/** A secret that is kept, or `null`. */
export async function keptSecret(id: string): Promise<KeptSecret | null> {
  const text = await readFile(pathOf(id), 'utf8').catch(missing)
  return text === null ? null : parseSecret(text)
}

/** Takes a secret away: of several processes, one gets it. */
export async function takeKept(id: string): Promise<KeptSecret | null> {
  const taken = join(folderOf(), `.${randomUUID()}`)
  if ((await rename(pathOf(id), taken).catch(missing)) === null) return null
  try {
    return parseSecret(await readFile(taken, 'utf8'))
  } finally {
    await rm(taken)
  }
}

export const dropSecret = (id: string): Promise<void> => rm(pathOf(id), { force: true })

/** Removes what nobody can want any more. */
export async function sweepSecrets(now: number): Promise<void> {
  for (const name of (await readdir(folderOf()).catch(missing)) ?? []) {
    const path = join(folderOf(), name)
    const age = await stat(path).then(({ mtimeMs }) => now - mtimeMs, missing)
    if (age === null || age < UNREAD_MS) continue
    const isWaiting =
      age < MAX_TIMEOUT_MS && !(await readFile(path, 'utf8').catch(missing))?.includes('"given"')
    if (!isWaiting) await rm(path, { force: true })
  }
}

const parseSecret = (text: string): KeptSecret =>
  parseWith(schema, parseJson(text, 'INVALID_FILE', WHAT), 'INVALID_FILE', WHAT)

const WHAT = 'This is no secret that a runner kept'

function missing(error: unknown): null {
  if (failedWith(error, ['ENOENT'])) return null
  throw error
}
