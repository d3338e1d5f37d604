import { mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AskError, checkOptions } from '@sandagent/core/internal'
import { readPrivateFile, writeFileAtomic } from '@sandagent/files/internal'
import { givenSigningKey, SIGNING_KEY_VARIABLE, signingKeyPath } from '../sandbox/host-config.ts'
import { isInside } from '../sandbox/isolation/path-outside.ts'
import { createSigningKey, parseSigningKeys, type SigningKeys } from './signing-keys.ts'

export interface LoadKeysOptions {
  /** Makes a key if there is none. Default false. */
  create?: boolean | undefined
  /** A folder that must not contain the key: the sandbox's. */
  outside?: string | undefined
}

/**
 * The keys of this host: those in `SANDAGENT_SIGNING_KEY`, or else those of the user's key file; `null` without keys.
 *
 * @throws AskError `UNSAFE_PATH` for a key file that others can read, or that is in the sandbox; `INVALID_FILE`;
 *   `NO_SIGNING_KEY` when no key can be made.
 */
export async function loadSigningKeys(options: LoadKeysOptions & { create: true }): Promise<SigningKeys>
export async function loadSigningKeys(options?: LoadKeysOptions): Promise<SigningKeys | null>
export async function loadSigningKeys(options: LoadKeysOptions = {}): Promise<SigningKeys | null> {
  checkOptions<LoadKeysOptions>('loadSigningKeys', options, { create: true, outside: true })
  const { create = false, outside } = options
  const given = givenSigningKey()
  if (given) return parsed(given)
  const path = signingKeyPath()
  if (create && (await readPrivateFile(path)) === null) await makeKeyFile(path)
  const text = await readPrivateFile(path)
  if (text === null) return null
  if (outside !== undefined && isInside(outside, await realpath(path)))
    throw new AskError(
      'UNSAFE_PATH',
      `The signing key ${path} is inside the sandbox, whose agent could read it. Move it, or set ${SIGNING_KEY_VARIABLE}`,
      { facts: { path } },
    )
  return parsed(text)
}

/** The keys that a caller gave, or else those of this host. `null` stands for none. */
export const hostKeys = async (given: SigningKeys | null | undefined): Promise<SigningKeys | null> =>
  given === undefined ? loadSigningKeys() : given

/** Every answer needs the keys, and they rarely change. */
let latest: { text: string; keys: Promise<SigningKeys> } | null = null

function parsed(text: string): Promise<SigningKeys> {
  if (latest?.text !== text) latest = { text, keys: parseSigningKeys(text) }
  return latest.keys
}

/** If another process makes a key at the same time, the first one counts. */
async function makeKeyFile(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFileAtomic(path, await createSigningKey(), { exclusive: true })
  } catch (cause) {
    if (cause instanceof AskError && cause.code === 'CONFLICT') return
    const message = `No signing key can be kept at ${path}; give one in ${SIGNING_KEY_VARIABLE}, or start without`
    throw new AskError('NO_SIGNING_KEY', message, { cause })
  }
}
